"""What is shown when a form's token does not fit: its page is too old, or another site sent it."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from courses import kept_work


def explain(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Nothing was done. Work that came from a page of ours is handed back; from elsewhere it is not even shown."""
    work = kept_work.of(request) if _from_here(request) else None
    handed_back = kept_work.handed_back(request, work, kept_work.OLD_PAGE) if work else None
    return handed_back or render(request, "403_csrf.html", status=403)


def _from_here(request: HttpRequest) -> bool:
    """As far as the browser says; all of today's name the origin of a form."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()
