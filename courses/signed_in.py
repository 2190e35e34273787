"""Views for people who are signed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

if TYPE_CHECKING:
    from django.contrib.auth.models import User

P = ParamSpec("P")


class Request(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


def signed_in(
    view: Callable[Concatenate[Request, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Send everybody else to the sign-in page, and back to the page that they see afterwards."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast("Request", request), *args, **kwargs)
        if request.headers.get("HX-Request") == "true":
            # A fragment must not be replaced by the sign-in page: the whole page has to go there.
            return HttpResponseClientRedirect(redirect_to_login(request.headers.get("HX-Current-URL", "/")).url)
        return redirect_to_login(_seen_page(request))

    return guarded


def _seen_page(request: HttpRequest) -> str:
    """This page; of a form that was sent, the page it stands on, for nothing is shown where forms go."""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    before = request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure())
    return urlsplit(before).path if ours else "/"
