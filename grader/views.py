"""Every page that reads submissions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courses import kept_work, markdown, policy
from courses.models import Item
from courses.place import in_course
from courses.signed_in import Request, signed_in
from grader import access, intake, pace, polling, selectors, software, wording
from grader.forms import ProblemForm, SubmissionForm, is_new, packed, version_of
from grader.models import Submission
from grader.notebook import Cell
from grader.source import MAX_BYTES, BadSource, NotebookSource, check_source

DAMAGED = "This form is damaged. Please reload the page and submit again."
WHICH = "You chose the file “{name}” and also changed the code on the page. Nothing was submitted yet."
BAD_FILE = {
    "large": wording.TOO_LARGE.format(kilobytes=MAX_BYTES // 1024),
    "binary": wording.NUL_BYTES,
    "encoding": wording.NOT_UTF8,
    "empty": "The file is empty.",
}


@never_cache
@signed_in
@require_safe
def exercise(request: Request, item: int) -> HttpResponse:
    return render(request, "grader/exercise.html", _exercise(request, _item(request, item)))


def _give_back(request: Request, sent: QueryDict, sentence: str, item: int) -> HttpResponse:
    """The exercise with the code that was sent; `file` in it is the text of a chosen file."""
    found = _item(request, item)
    file, typed = str(sent.get("file", "")), SubmissionForm(sent).typed()
    if not file or kept_work.is_htmx(request):
        return _refused(request, found, sentence, typed)
    if is_new(typed, str(sent.get("shown", ""))):
        return _which(request, found, sent, file, sentence)
    return _refused(request, found, sentence, file)


@kept_work.gives_back(_give_back)
@never_cache
@signed_in
@require_POST
def submit(request: Request, item: int) -> HttpResponse:
    """Queue the code. Replies with the live result to htmx, with its page to everybody else."""
    too_fast = pace.refusal(request.user)
    if too_fast and kept_work.is_htmx(request):  # a flood must cost as little as can be
        return _refusal(request, too_fast)
    found = _item(request, item)
    form = SubmissionForm(request.POST, request.FILES)
    if too_fast or not form.is_valid():
        return _refused(request, found, too_fast or DAMAGED, form.typed())
    file = form.chosen()
    source = file.read() if file else form.typed()
    try:
        if file and form.was_typed_in() and check_source(source) != check_source(form.typed()):
            return _which(request, found, request.POST, check_source(source), WHICH.format(name=file.name))
        check_source(source)
        made = intake.submit(
            user=request.user,
            item=found,
            source=source,
            kind=form.cleaned_data["kind"],
            key=form.cleaned_data["key"],
        )
    except NotebookSource as other:
        return _cells(request, found, other.cells)
    except (intake.Refused, BadSource) as refused:
        return _refused(request, found, str(refused), form.typed())
    if not kept_work.is_htmx(request):
        return redirect("grader:submission", made.pk)
    return render(request, "grader/parts/accepted.html", _live(request, made) | {"key": uuid4()})


@signed_in
@require_safe
def submission(request: Request, submission: int) -> HttpResponse:
    return submission_page(request, submission, ProblemForm())


def submission_page(request: Request, submission: int, problem_form: ProblemForm, status: int = 200) -> HttpResponse:
    found = _submission(request, submission)
    item = Item.objects.with_places().get(pk=found.item_id)
    context = _live(request, found) | {
        "item": item,
        "lesson": item.lesson,
        "person": found.user,
        "problem_form": problem_form,
    }
    return render(request, "grader/submission.html", in_course(request, item.course) | context, status=status)


@signed_in
@require_safe
def live(request: Request, submission: int) -> HttpResponse:
    """The result as it stands, for a page that asks again and again until it is finished."""
    found = _submission(request, submission)
    page = urlsplit(request.headers.get("HX-Current-URL", "")).path
    context = _live(request, found) | {
        "beside_form": page == found.item.get_absolute_url(),
        "poll": polling.read(request.GET.get("poll", "")),
    }
    return render(request, "grader/parts/polled.html", context)


@signed_in
@require_safe
def mistakes(request: Request, submission: int) -> HttpResponse:
    """What is recognised in a judged submission, for a page that asks until nobody looks any more."""
    found = _live(request, _submission(request, submission))
    return render(request, "grader/parts/mistakes.html", found | {"poll": polling.read(request.GET.get("poll", ""))})


@signed_in
@require_safe
def history(request: Request, item: int, person: int) -> HttpResponse:
    """What one person handed in for an item: their own page, and their teachers'."""
    theirs = access.submissions(request.user).filter(item=item, user=person)
    found = get_object_or_404(
        access.exercises(request.user).with_places().filter(submissions__in=theirs).distinct(), pk=item
    )
    context = {
        "item": found,
        "lesson": found.lesson,
        "person": get_user_model().objects.get(pk=person),
        "history": selectors.history(item=found, person_id=person, limit=200),
    }
    return render(request, "grader/history.html", in_course(request, found.course) | context)


@signed_in
@require_POST
def regrade(request: Request, submission: int) -> HttpResponse:
    found = get_object_or_404(access.taught_submissions(request.user).select_related("revision", "item"), pk=submission)
    try:
        again = intake.regrade(submission=found)
    except intake.Refused as refused:
        messages.error(request, str(refused))
        return redirect("grader:submission", found.pk)
    messages.success(request, "Graded again with the same code, exercise revision and seed; the mark follows this run.")
    return redirect("grader:submission", again.pk)


def _item(request: Request, number: int) -> Item:
    return get_object_or_404(access.exercises(request.user).with_places(), pk=number)


def _submission(request: Request, number: int) -> Submission:
    rows = access.submissions(request.user).select_related("item__course", "revision", "user").defer("revision__files")
    return get_object_or_404(rows, pk=number)


def _live(request: Request, submission: Submission) -> dict[str, Any]:
    teaches = access.taught_submissions(request.user).filter(pk=submission.pk).exists()
    return {
        "shown": selectors.shown(submission, to_teacher=teaches),
        "submission": submission,
        "item": submission.item,
        # A page that asks while tests still run shows none of these.
        "decision": SimpleLazyObject(lambda: intake.may_submit(user=request.user, item=submission.item)),
        "history": SimpleLazyObject(lambda: selectors.history(item=submission.item, person_id=submission.user_id)),
        "gradings": SimpleLazyObject(lambda: selectors.gradings(submission)),
        "mine": submission.user_id == request.user.pk,
        "poll": polling.Poll(),
    }


def _exercise(request: Request, item: Item) -> dict[str, Any]:
    place = in_course(request, item.course)
    context: dict[str, Any] = place | {
        "item": item,
        "lesson": item.lesson,
        "decision": intake.may_submit(user=request.user, item=item),
    }
    revision = item.exercise.published if item.exercise else None
    visible = place["standing"].teaches or policy.is_open(item, timezone.now())
    if revision is None or not visible:
        return context
    package = revision.package()
    last = selectors.latest(item=item, person_id=request.user.pk)
    source = last.source if last else package.starter
    return context | {
        "spec": package.spec,
        "statement": markdown.render(package.prompt),
        "starter": package.starter,
        "runs_on": software.runs_on(),
        "source": source,
        "version": version_of(source),
        "most_bytes": MAX_BYTES,
        "bad_file": BAD_FILE,
        "poll": polling.Poll(),
        "shown": selectors.shown(last, to_teacher=place["standing"].teaches) if last else None,
        "history": selectors.history(item=item, person_id=request.user.pk),
        "mine": True,
        "key": uuid4(),
    }


def _refused(request: Request, item: Item, sentence: str, code: str) -> HttpResponse:
    """Nothing was queued: say why, and give the code back."""
    if kept_work.is_htmx(request):
        return _refusal(request, sentence)
    context = _exercise(request, item) | {"refusal": sentence, "source": code}
    return render(request, "grader/exercise.html", context, status=422)


def _refusal(request: Request, sentence: str) -> HttpResponse:
    """For a page that still has the code."""
    return render(request, "grader/parts/refused.html", {"refusal": sentence}, status=422)


def _which(request: Request, item: Item, sent: QueryDict, file: str, sentence: str) -> HttpResponse:
    """Code in a file and other code in the text area: the person says which of them counts. Nothing was queued."""
    context = {
        "item": item,
        "lesson": item.lesson,
        "sentence": sentence,
        "choices": [("The file", file), ("The typed code", sent.get("source", ""))],
        "key": sent.get("key", ""),
        "kind": sent.get("kind", ""),
    }
    if kept_work.is_htmx(request):
        return render(request, "grader/parts/which.html", context, status=422)
    return render(request, "grader/which.html", in_course(request, item.course) | context, status=422)


def _cells(request: Request, item: Item, cells: list[Cell]) -> HttpResponse:
    """A notebook was sent: the person says which of its cells are the solution. Nothing was queued."""
    context = {
        "item": item,
        "lesson": item.lesson,
        "cells": cells,
        "sources": packed(cells),
        "key": uuid4(),
        "kind": request.POST.get("kind", ""),
    }
    if kept_work.is_htmx(request):
        return render(request, "grader/parts/cells.html", context, status=422)
    return render(request, "grader/cells.html", in_course(request, item.course) | context, status=422)
