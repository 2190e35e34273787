"""Every page that reads submissions."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from courses import markdown, policy
from courses.models import Item
from courses.place import in_course
from courses.signed_in import Request, signed_in
from grader import access, intake, selectors
from grader.forms import ProblemForm, SubmissionForm
from grader.models import Submission


@signed_in
@require_safe
def exercise(request: Request, item: int) -> HttpResponse:
    found = get_object_or_404(access.exercises(request.user).with_places(), pk=item)
    return render(request, "grader/exercise.html", _exercise(request, found))


@signed_in
@require_POST
def submit(request: Request, item: int) -> HttpResponse:
    """Queue the code. Replies with the live result to htmx, with its page to everybody else."""
    found = get_object_or_404(access.exercises(request.user).with_places(), pk=item)
    form = SubmissionForm(request.POST, request.FILES)
    if not form.is_valid():
        return _refused(request, found, "This form is damaged. Please reload the page and submit again.")
    kind = form.cleaned_data["kind"]
    try:
        made = intake.submit(
            user=request.user, item=found, source=form.source(), kind=kind, key=form.cleaned_data["key"]
        )
    except intake.Refused as refused:
        return _refused(request, found, str(refused))
    if request.headers.get("HX-Request") != "true":
        return redirect("grader:submission", made.pk)
    return render(request, "grader/parts/accepted.html", _live(request, made) | {"key": uuid4()})


@signed_in
@require_safe
def submission(request: Request, submission: int) -> HttpResponse:
    found = _submission(request, submission)
    item = Item.objects.with_places().get(pk=found.item_id)
    context = _live(request, found) | {
        "item": item,
        "lesson": item.lesson,
        "person": found.user,
        "problem_form": ProblemForm(),
    }
    return render(request, "grader/submission.html", in_course(request, item.course) | context)


@signed_in
@require_safe
def live(request: Request, submission: int) -> HttpResponse:
    """The result as it stands, for a page that asks again and again until it is finished."""
    found = _submission(request, submission)
    page = urlsplit(request.headers.get("HX-Current-URL", "")).path
    context = _live(request, found) | {"beside_form": page == found.item.get_absolute_url()}
    return render(request, "grader/parts/polled.html", context)


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


def _submission(request: Request, number: int) -> Submission:
    rows = access.submissions(request.user).select_related("item__course", "revision", "user").defer("revision__files")
    return get_object_or_404(rows, pk=number)


def _live(request: Request, submission: Submission) -> dict[str, Any]:
    teaches = access.taught_submissions(request.user).filter(pk=submission.pk).exists()
    return {
        "shown": selectors.shown(submission, to_teacher=teaches),
        "submission": submission,
        "item": submission.item,
        "decision": intake.may_submit(user=request.user, item=submission.item),
        "history": selectors.history(item=submission.item, person_id=submission.user_id),
        "gradings": selectors.gradings(submission),
        "mine": submission.user_id == request.user.pk,
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
    return context | {
        "spec": package.spec,
        "statement": markdown.render(package.prompt),
        "starter": package.starter,
        "source": last.source if last else package.starter,
        "shown": selectors.shown(last, to_teacher=place["standing"].teaches) if last else None,
        "history": selectors.history(item=item, person_id=request.user.pk),
        "mine": True,
        "key": uuid4(),
    }


def _refused(request: Request, item: Item, sentence: str) -> HttpResponse:
    """Nothing was queued: say why, and give the code back."""
    if request.headers.get("HX-Request") == "true":
        return render(request, "grader/parts/refused.html", {"refusal": sentence}, status=422)
    context = _exercise(request, item) | {"refusal": sentence, "source": request.POST.get("source", "")}
    return render(request, "grader/exercise.html", context, status=422)
