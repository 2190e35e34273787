"""No request may bring more than its address takes: refused by its length, before anything reads or stores it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from socket import socket

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.urls import Resolver404, resolve

DRAINED_BYTES = 32 * 1024 * 1024
DRAINED_SECONDS = 5.0
PIECE = 64 * 1024


def refuse_large(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware. Stands before everything that reads a body: sessions do not, the check for forgery does.

    Django reads as much as `Content-Length` says and not a byte more, so that a request which lies about its length
    brings no more either. A body in chunks has no length: forms are never sent so, and it is refused unread.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        limit = limit_of(request)
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            return _refusal(request, limit, status=411)
        if _length(request) > limit:
            with contextlib.suppress(UnreadablePostError):  # nobody is left to see the page
                _drain(request)
            return _refusal(request, limit, status=413)
        return get_response(request)

    return middleware


def limit_of(request: HttpRequest) -> int:
    """In bytes, by the address's full name (`grader:submit`), else by its app (`admin`)."""
    limits: dict[str, int] = settings.BODY_LIMITS
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return limits["default"]
    return limits.get(match.view_name, limits.get(match.app_name, limits["default"]))


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0  # which is what Django takes it for


def _refusal(request: HttpRequest, limit: int, *, status: int) -> HttpResponse:
    return render(request, "413.html", {"limit": _size(limit), "status": status}, status=status)


def _size(limit: int) -> str:
    kilobytes = limit // 1024
    return f"{kilobytes} KB" if kilobytes < 1024 else f"{kilobytes // 1024} MB"


def _drain(request: HttpRequest) -> None:
    """Read and forget what is on its way, within bounds: a browser shows our page only once it has sent its form."""
    until, left = time.monotonic() + DRAINED_SECONDS, DRAINED_BYTES
    connection: socket | None = request.META.get("gunicorn.socket")  # other servers have bounds of their own
    try:
        while left > 0 and (seconds := until - time.monotonic()) > 0:
            if connection:
                connection.settimeout(seconds)  # whoever sends nothing more must not keep a thread
            piece = request.read(min(PIECE, left))
            if not piece:
                return
            left -= len(piece)
    finally:
        if connection:
            connection.settimeout(None)
