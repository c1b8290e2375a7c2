"""Serves an ASGI application on a socket that the parent opened: ``tests.site``."""

from __future__ import annotations

import os
import socket
import sys

import django


def main(descriptor: str, application: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "komppa.settings")
    django.setup()
    from komppa.live import serving

    serving.APPLICATION = application
    serving.serve(socket.socket(fileno=int(descriptor)))


if __name__ == "__main__":
    main(*sys.argv[1:])
