"""Short answers that are given before Django is asked, and what they must carry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from django.conf import settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]


def security_headers() -> list[tuple[bytes, bytes]]:
    """Return what Django's middleware would add, for answers that it never sees."""
    headers = [
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    ]
    if opener_policy := settings.SECURE_CROSS_ORIGIN_OPENER_POLICY:
        headers.append((b"cross-origin-opener-policy", opener_policy.encode()))
    if settings.SECURE_HSTS_SECONDS:
        age = f"max-age={settings.SECURE_HSTS_SECONDS}"
        headers.append((b"strict-transport-security", age.encode()))
    return headers


async def answer(send: Send, status: int, text: str, headers: Headers = ()) -> None:
    """Send a whole answer in plain text."""
    body = f"{text}\n".encode()
    start = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *security_headers(),
        *headers,
    ]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})
