"""Work sent after signing out, or from a page that is too old: handed back to whoever sent it, and never acted on.

A view that takes work says, with `gives_back`, how its form is shown again with what was sent in it. Without a session
the work travels in the sign-in form, so that nobody can fill a disk with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.contrib.auth.forms import AuthenticationForm
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme

View = TypeVar("View", bound=Callable[..., HttpResponse])

MOST_BYTES = 900 * 1024
"""Of work that travels in the sign-in form, as JSON; that form may bring 1 MB, as a submission may."""

OLD_PAGE = (
    "You have signed in again since this page was opened, so nothing was submitted. What you wrote is still here: "
    "please submit it again."
)
BACK = "You are signed in again. Nothing was submitted yet: what you wrote is back here, so check it and submit it."


def gives_back(page: Callable[..., HttpResponse]) -> Callable[[View], View]:
    """Mark a view: `page(request, sent, sentence, …)` shows its form with `sent` in it, given the view's arguments."""

    def mark(view: View) -> View:
        view.gives_back = page  # type: ignore[attr-defined]
        return view

    return mark


@dataclass(frozen=True, slots=True)
class Work:
    """What was sent to `path`, less the token against forgery."""

    path: str
    sent: QueryDict

    def packed(self) -> str:
        """As text for `unpacked`; empty if it is too large to travel."""
        text = json.dumps([self.path, dict(self.sent.lists())], ensure_ascii=False)
        return text if len(text.encode("utf-8", "replace")) <= MOST_BYTES else ""

    def page(self, request: HttpRequest, sentence: str) -> HttpResponse | None:
        """Its form with what was sent, for `request.user`; None if they may not see it."""
        try:
            match = resolve(self.path)
            page: HttpResponse = match.func.gives_back(  # type: ignore[attr-defined]
                request, self.sent, sentence, *match.args, **match.kwargs
            )
        except Http404:
            return None
        return page


def of(request: HttpRequest) -> Work | None:
    """The work in this request: in a form that takes some, or travelling in the sign-in form."""
    if request.method != "POST":
        return None
    if "work" in request.POST:
        return _unpacked(request.POST["work"])
    if not _takes_work(request.path):
        return None
    sent = request.POST.copy()
    sent.pop("csrfmiddlewaretoken", None)
    for name, file in request.FILES.items():
        if isinstance(file, UploadedFile) and (text := _text(file)) is not None:
            sent[name] = text
    return Work(request.path, sent)


def handed_back(request: HttpRequest, work: Work, sentence: str) -> HttpResponse | None:
    """Refused, with the work: in its own form or, for somebody who is signed out, in the sign-in form."""
    if not request.user.is_authenticated:
        page: HttpResponse | None = signed_out_fragment(request) if is_htmx(request) else _sign_in_page(request, work)
    else:
        page = work.page(request, sentence)
    if page:
        page.status_code = 403
        add_never_cache_headers(page)
    return page


def signed_out_fragment(request: HttpRequest) -> HttpResponse:
    """In place of a part of a page whose reader is signed out. What they wrote stays on the page."""
    here = urlsplit(request.headers.get("HX-Current-URL", "/")).path
    return render(request, "parts/signed_out.html", {"next": here}, status=403)


def seen_page(request: HttpRequest) -> str:
    """The page to return to after signing in; for a POST, the page that held the form."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    before = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure())
    return urlsplit(before).path if ours else "/"


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _sign_in_page(request: HttpRequest, work: Work) -> HttpResponse:
    context = {"form": AuthenticationForm(request), "next": seen_page(request), "work": work.packed(), "sent": True}
    return render(request, "account/sign_in.html", context)


def _unpacked(text: str) -> Work | None:
    """None if it is not what `packed` makes."""
    try:
        path, fields = json.loads(text)
        sent = QueryDict(mutable=True)
        for name, values in fields.items():
            sent.setlist(name, [str(value) for value in values])
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return Work(path, sent) if isinstance(path, str) and _takes_work(path) else None


def _takes_work(path: str) -> bool:
    try:
        view: Any = resolve(path).func
    except Resolver404:
        return False
    return hasattr(view, "gives_back")


def _text(file: UploadedFile[bytes]) -> str | None:
    content: bytes = file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
