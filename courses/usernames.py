"""One spelling for one name: usernames differ by more than case or by which of Unicode's forms they are typed in.

A username is kept in its canonical spelling, so that the database's own unique constraint also holds for people who
sign up at the same moment. (`bulk_create` sends no signal: whoever uses it folds names itself.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TAKEN = "Somebody has this username already; capital and small letters count as the same. Choose another."
HELP = "Letters, digits and @ . + - _ only. Capital letters become small ones."


def canonical(username: str) -> str:
    return normalize("NFKC", normalize("NFKC", username.strip()).casefold())


def find(typed: str) -> User | None:
    """Whose name this is, in whatever case it was typed.

    Names that were alike before this rule stand beside each other still: each is found by its exact spelling, and any
    other spelling finds the canonical one.
    """
    exact, name = normalize("NFKC", typed.strip()), canonical(typed)
    people = {person.username: person for person in get_user_model().objects.filter(username__in=(exact, name))}
    return people.get(exact) or people.get(name)


def fold(sender: type[User], instance: User, *, raw: bool, update_fields: Any, **kwargs: Any) -> None:
    """Before any user is saved: a new or changed name is kept in its canonical spelling. Raises ValidationError."""
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    name, everybody = canonical(instance.username), sender._default_manager
    unchanged = everybody.filter(pk=instance.pk, username=instance.username)
    if not instance._state.adding and (name == instance.username or unchanged.exists()):
        return  # perhaps a name from before this rule, with which somebody signs in
    if everybody.filter(username=name).exclude(pk=instance.pk).exists():
        raise ValidationError({"username": TAKEN})
    instance.username = name


class FoldedUsername(forms.ModelForm):  # type: ignore[type-arg] # not generic at run time
    """For forms that make or change a user."""

    def clean_username(self) -> str:
        typed: str = self.cleaned_data["username"]
        if "username" not in self.changed_data:
            return typed
        name = canonical(typed)
        self.fields["username"].run_validators(name)
        if get_user_model().objects.filter(username=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(TAKEN)
        return name
