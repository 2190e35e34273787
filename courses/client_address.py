"""Where a request comes from, for counting wrong passwords."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address of the client itself, or of whoever connected when that cannot be known.

    Each proxy appends to X-Forwarded-For the address that it was reached from, so with `TRUSTED_PROXIES` of ours the
    client is that many places from the end. Everything before that place was written by the client, who may lie.
    """
    connected: str = request.META.get("REMOTE_ADDR", "")
    places = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if not 0 < settings.TRUSTED_PROXIES <= len(places):
        return connected
    try:
        return str(ip_address(places[-settings.TRUSTED_PROXIES].strip()))
    except ValueError:
        return connected
