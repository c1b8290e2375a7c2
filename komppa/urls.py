"""The addresses of the site; a cup's own come last, under its slug."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from komppa.sheets.views import SignInView
from komppa.views import choose_language, healthz

urlpatterns = [
    path("admin/transfer/", include("komppa.sheets.urls_transfer")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("language/<str:code>/", choose_language, name="language"),
    path("login/", SignInView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("sheet/", include("komppa.sheets.urls")),
    path("", include("komppa.live.urls")),
]
