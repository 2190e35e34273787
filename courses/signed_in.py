"""Views for people who are signed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from courses import kept_work

if TYPE_CHECKING:
    from django.contrib.auth.models import User

P = ParamSpec("P")


class Request(HttpRequest):
    """A request of somebody who is signed in."""

    user: User


def signed_in(
    view: Callable[Concatenate[Request, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Send everybody else to the sign-in page, with the work that they sent, and back to the page that they saw."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast("Request", request), *args, **kwargs)
        if kept_work.is_htmx(request):
            return kept_work.signed_out_fragment(request)
        work = kept_work.of(request)
        handed_back = kept_work.handed_back(request, work, kept_work.BACK) if work else None
        return handed_back or redirect_to_login(kept_work.seen_page(request))

    return guarded
