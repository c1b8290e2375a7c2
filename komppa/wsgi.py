"""Django itself; ``komppa.asgi`` puts the event stream in front of it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "komppa.settings")
application = get_wsgi_application()
