"""A submission as it is sent. Whether it may be made, and whether it is text, others decide."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile

from grader.models import Kind, digest_of


def version_of(source: str) -> str:
    """Names the text that a form was filled with, however line ends travel."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    return digest_of(text.encode("utf-8", "replace").decode())


class SubmissionForm(forms.Form):
    """`key` names the click; `shown` is the version of the text that the page was served with."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(Kind.SAMPLE, "sample run"), (Kind.SUBMISSION, "submission")])
    file = forms.FileField(required=False, allow_empty_file=True)

    def typed(self) -> str:
        """The text area, raw: what is wrong with it gets its own sentence."""
        return str(self.data.get("source", ""))

    def chosen(self) -> UploadedFile[bytes] | None:
        """The file; browsers send it beside what stands in the text area."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        return file

    def was_typed_in(self) -> bool:
        """Whether the text area holds more than what the page was served with."""
        return is_new(self.typed(), self.data.get("shown", ""))


def is_new(typed: str, shown: str) -> bool:
    return bool(typed.strip()) and version_of(typed) != shown


class ProblemForm(forms.Form):
    text = forms.CharField(
        label="What is wrong with this exercise?",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Your instructor sees this together with the submission.",
    )
