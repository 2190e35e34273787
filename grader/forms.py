"""A submission as it is sent. Whether it may be made, and whether it is text, others decide."""

from __future__ import annotations

from django import forms

from grader.models import Kind


class SubmissionForm(forms.Form):
    """`key` names the click. A chosen file counts instead of the text area."""

    key = forms.UUIDField()
    kind = forms.ChoiceField(choices=[(Kind.SAMPLE, "sample run"), (Kind.SUBMISSION, "submission")])
    file = forms.FileField(required=False, allow_empty_file=True)

    def source(self) -> bytes | str:
        """As sent, unchecked: the text area is read raw, so that what is wrong with it gets its own sentence."""
        file = self.cleaned_data["file"]
        return file.read() if file else str(self.data.get("source", ""))


class ProblemForm(forms.Form):
    text = forms.CharField(
        label="What is wrong with this exercise?",
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Your instructor sees this together with the submission.",
    )
