"""What people send. Rules about whether they may are elsewhere."""

from __future__ import annotations

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import BaseUserCreationForm

from courses import usernames
from courses.models import Role
from courses.usernames import FoldedUsername


class QuizForm(forms.Form):
    """A quiz as sent: `key` names the click, and each `question-12` holds the chosen option's id."""

    key = forms.UUIDField()

    def answers(self) -> dict[str, str]:
        prefix = "question-"
        return {name.removeprefix(prefix): str(self.data[name]) for name in self.data if name.startswith(prefix)}


class CodeForm(forms.Form):
    code = forms.CharField(label="Course code", max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class EnrolForm(forms.Form):
    username = forms.CharField(max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(choices=Role)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(choices=Role)
    note = forms.CharField(label="For whom", max_length=120, required=False, help_text="Only you see this.")


class AccountForm(FoldedUsername, BaseUserCreationForm):  # type: ignore[type-arg] # not generic at run time
    """An account of one's own, made from an invitation."""

    class Meta:
        model = get_user_model()
        fields = ("username", "first_name", "last_name")
        help_texts = {"username": usernames.HELP}
