"""Views for people who are signed in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
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
    """Send everybody else to the sign-in page, and back here afterwards."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast("Request", request), *args, **kwargs)
        if request.headers.get("HX-Request") == "true":
            # A fragment must not be replaced by the sign-in page: the whole page has to go there.
            return HttpResponseClientRedirect(redirect_to_login(request.headers.get("HX-Current-URL", "/")).url)
        return redirect_to_login(request.get_full_path())

    return guarded
