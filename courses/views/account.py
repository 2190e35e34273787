"""Signing in and out, and passwords. Django's own views, with a brake on guessing."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.urls import reverse_lazy

from courses import sign_in_limits
from courses.client_address import client_address


class BrakedSignIn(AuthenticationForm):
    """Counts wrong passwords, and refuses to check any more once there were too many."""

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username", "")
        address = client_address(self.request) if self.request else ""
        if sign_in_limits.too_many(username=username, address=address):
            raise ValidationError(sign_in_limits.TOO_MANY, code="too_many")
        try:
            cleaned = super().clean()
        except ValidationError:
            sign_in_limits.failed(username=username, address=address)
            raise
        sign_in_limits.succeeded(username=username)
        return cleaned


class SignIn(views.LoginView):
    template_name = "account/sign_in.html"
    authentication_form = BrakedSignIn
    redirect_authenticated_user = True


class SignOut(views.LogoutView):
    next_page = "courses:sign_in"


class ChangePassword(views.PasswordChangeView):
    template_name = "account/password.html"
    success_url = reverse_lazy("courses:password_done")


class PasswordChanged(views.PasswordChangeDoneView):
    template_name = "account/password_done.html"


class ResetPassword(views.PasswordResetConfirmView):
    """The page behind a link that an instructor made."""

    template_name = "account/reset.html"
    success_url = reverse_lazy("courses:sign_in")
