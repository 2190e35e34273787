"""Signing in and out, and passwords. Django's own views, with a brake on guessing."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy

from courses import kept_work, known_browsers, people, sign_in_limits, usernames
from courses.client_address import client_address

LOCKED = (
    "Too many wrong passwords for this username from here. You can try again {when}. If you have forgotten your "
    "password, ask your instructor or an admin for a link to choose a new one."
)
SLOWED = "Too many wrong passwords were tried, perhaps by somebody else. Nothing was checked: please try again {when}."


class BrakedSignIn(AuthenticationForm):
    """Finds the name in whatever case it is typed, and does not look at the password while it is too soon."""

    too_soon: sign_in_limits.TooSoon | None = None

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data.get("username")
        if not typed or not self.cleaned_data.get("password") or self.request is None:
            return super().clean()
        person = usernames.find(typed)
        self.cleaned_data["username"] = person.username if person else typed
        browser = known_browsers.known_as(self.request, person) if person else ""
        try:
            attempt = sign_in_limits.begin(username=typed, address=client_address(self.request), browser=browser)
        except sign_in_limits.TooSoon as too_soon:
            self.too_soon = too_soon
            sentence = LOCKED if too_soon.locked else SLOWED
            raise ValidationError(sentence.format(when=too_soon.when), code="too_soon") from None
        cleaned = super().clean()
        sign_in_limits.succeeded(attempt)
        return cleaned


def answered(response: HttpResponse, form: AuthenticationForm) -> HttpResponse:
    """The page of a form that was not accepted, as programs read it: 429 and when to come back."""
    if isinstance(form, BrakedSignIn) and form.too_soon:
        response.status_code = 429
        response["Retry-After"] = str(form.too_soon.seconds)
    return response


class SignIn(views.LoginView):
    """Also hands back work that somebody sent while they were signed out."""

    template_name = "account/sign_in.html"
    authentication_form = BrakedSignIn
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and (page := self._work_page()):
            return page
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        work = kept_work.of(self.request)
        return super().get_context_data(**kwargs) | {"work": work.packed() if work else "", "sent": work is not None}

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        return answered(super().form_invalid(form), form)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        response = self._work_page() or response
        known_browsers.remember(response, self.request, form.get_user())
        return response

    def _work_page(self) -> HttpResponse | None:
        work = kept_work.of(self.request)
        return work.page(self.request, kept_work.BACK) if work else None


def sign_in_to_admin(request: HttpRequest) -> HttpResponse:
    """The admin has a sign-in page of its own, with the same brake."""
    response = admin.site.login(request)
    form = (getattr(response, "context_data", None) or {}).get("form")
    if form is not None:
        return answered(response, form)
    if request.method == "POST" and request.user.is_authenticated:
        known_browsers.remember(response, request, request.user)
    return response


class SignOut(views.LogoutView):
    next_page = "courses:sign_in"


class ChangePassword(views.PasswordChangeView):
    template_name = "account/password.html"
    success_url = reverse_lazy("courses:password_done")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        known_browsers.remember(response, self.request, form.user)
        return response


class PasswordChanged(views.PasswordChangeDoneView):
    template_name = "account/password_done.html"


class ResetPassword(views.PasswordResetConfirmView):
    """The page behind a link that an instructor or an admin made."""

    template_name = "account/reset.html"
    token_generator = people.reset_links
    success_url = reverse_lazy("courses:sign_in")

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        known_browsers.remember(response, self.request, form.user)
        return response
