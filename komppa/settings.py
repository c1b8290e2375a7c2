"""Every setting of the site; each switch is an environment variable.

KOMPPA_DATA     folder for the database, the secret key and collected files
KOMPPA_DEBUG    1 for developers: tracebacks, files served uncollected
DATABASE_URL    postgres://...; without it SQLite in KOMPPA_DATA
SECRET_KEY      without it one is made once into KOMPPA_DATA/secret_key
PUBLIC_URL      https://cup.example.org when a proxy serves the site under a name
ALLOWED_HOSTS   further host names, comma separated
BACKUP_DIR      folder that is there; a backup into it every 10 minutes, 50 kept
"""

from __future__ import annotations

import logging
from pathlib import Path
from urllib.parse import urlsplit

import bootstrap_wrapper
import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from komppa.datafolder import secret_key
from komppa.network import machine_hosts

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("KOMPPA_DATA", default=str(BASE_DIR / "data"))).resolve()

_backups = env.str("BACKUP_DIR", default="")
BACKUP_DIR = Path(_backups).resolve() if _backups else None

# Not env.bool, which takes any word it does not know for a no.
_debug = env.str("KOMPPA_DEBUG", default="").lower()
if _debug not in ("1", "true", "yes", "on", "0", "false", "no", "off", ""):
    raise ImproperlyConfigured(f"KOMPPA_DEBUG is 1 or 0, not {_debug!r}")
DEBUG = _debug in ("1", "true", "yes", "on")
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key(DATA_DIR)

PUBLIC_URL = env.str("PUBLIC_URL", default="").rstrip("/")
_public = urlsplit(PUBLIC_URL)
if PUBLIC_URL and (_public.scheme not in ("http", "https") or not _public.hostname):
    raise ImproperlyConfigured(f"PUBLIC_URL is not an http(s) address: {PUBLIC_URL!r}")
ALLOWED_HOSTS = [*machine_hosts(), *env.list("ALLOWED_HOSTS", default=[])]
if _public.hostname:
    ALLOWED_HOSTS.append(_public.hostname)
    CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"]

INSTALLED_APPS = [
    "komppa.apps.KomppaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_htmx",
    "django_tables2",
    "komppa.cup",
    "komppa.sheets",
    "komppa.live",
]
MIDDLEWARE = [
    # Before what answers by itself, so that its answers carry their headers too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "komppa.middleware.PrivateAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "komppa.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Inside of what counts the answer's bytes.
    "komppa.middleware.KnownMethodsMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "komppa.urls"
WSGI_APPLICATION = "komppa.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {
                name: f"komppa.templatetags.{name}"
                for name in ("cards", "parts", "rules")
            },
        },
    },
]

# WAL with IMMEDIATE transactions is what makes twenty tablets wait for each other
# instead of failing with "database is locked"; FULL keeps a saved deal through a
# power cut.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
if env.str("DATABASE_URL", default=""):
    DATABASES = {"default": env.db("DATABASE_URL")}
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "komppa.sqlite3",
            "OPTIONS": SQLITE_OPTIONS,
            # A file, since SQLite's in-memory database knows no WAL and the tests
            # of simultaneous writers need it.
            "TEST": {"NAME": DATA_DIR / "test.sqlite3"},
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "sheets:index"
LOGOUT_REDIRECT_URL = "live:front"
# The whole hall shares one address, so only a name and an address together lock.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 5 / 60
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "registration/locked_out.html"
AXES_HTTP_RESPONSE_CODE = 429
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

LANGUAGE_CODE = "fi"
LANGUAGES = [("fi", "Suomi"), ("sv", "Svenska"), ("en", "English")]
LANGUAGE_COOKIE_NAME = "komppa_language"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Helsinki"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("bootstrap", bootstrap_wrapper.get_bootstrap_dir()),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"
CRISPY_FAIL_SILENTLY = False
DJANGO_TABLES2_TEMPLATE = "django_tables2/bootstrap5.html"

HTTPS = _public.scheme == "https"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30 if HTTPS else 0
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_AGE = 60 * 60 * 24 * 3
SECURE_REFERRER_POLICY = "same-origin"
# Over plain http browsers ignore it, with an error in the console of every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
CSRF_FAILURE_VIEW = "komppa.views.csrf_failure"


def _forget_traceback_of_visitors(record: logging.LogRecord) -> bool:
    if getattr(record, "status_code", 500) < 500:
        record.exc_info = None
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # What is the visitor's own fault one line says, without a traceback.
    "filters": {
        "in_one_line": {
            "()": "django.utils.log.CallbackFilter",
            "callback": _forget_traceback_of_visitors,
        }
    },
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["in_one_line"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "komppa": {"level": "INFO"},
        "django.server": {"level": "WARNING"},
    },
}
