"""A submission as it is sent. Whether it may be made, and whether it is text, others decide."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from grader import notebook
from grader.models import Kind, digest_of
from grader.notebook import Cell


def packed(cells: Iterable[Cell]) -> str:
    """A notebook's cells, to travel in a form."""
    return json.dumps([cell.source for cell in cells])


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
        """The text area, or the chosen cells of a notebook, raw: what is wrong with it gets its own sentence."""
        if "cells" in self.data:
            return notebook.joined(*self._cells())
        return str(self.data.get("source", ""))

    def _cells(self) -> tuple[list[str], list[int]]:
        """What `packed` made, as it came back, and which of it was chosen."""
        try:
            sources = json.loads(self.data["cells"])
        except (ValueError, RecursionError):
            return [], []
        if type(sources) is not list or not all(type(source) is str for source in sources):
            return [], []
        chosen = self.data.getlist("use") if isinstance(self.data, QueryDict) else []
        return sources, [int(number) for number in chosen if number.isdecimal() and len(number) < 4]

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
