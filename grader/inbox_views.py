"""Problems that people report, and pausing an exercise."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from courses import access as course_access
from courses import kept_work
from courses.place import in_course
from courses.signed_in import Request, signed_in
from grader import access, problems
from grader.forms import ProblemForm
from grader.views import submission_page


@signed_in
@require_safe
def inbox(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(course_access.taught(request.user), slug=course)
    reports = access.problems(request.user).filter(submission__item__course=found).for_inbox()[:200]
    return render(request, "grader/inbox.html", in_course(request, found) | {"problems": reports})


def _give_back(request: Request, sent: QueryDict, sentence: str, submission: int) -> HttpResponse:
    """The page of the submission, with the report that was not sent."""
    get_object_or_404(access.own_submissions(request.user), pk=submission)
    messages.error(request, sentence)
    return submission_page(request, submission, ProblemForm(sent), status=422)


@kept_work.gives_back(_give_back)
@signed_in
@require_POST
def report(request: Request, submission: int) -> HttpResponse:
    found = get_object_or_404(access.own_submissions(request.user), pk=submission)
    form = ProblemForm(request.POST)
    if not form.is_valid():
        sentence = "Please write what is wrong, in at most 4,000 characters. Nothing was sent."
        return _give_back(request, request.POST, sentence, submission)
    problems.report(submission=found, text=form.cleaned_data["text"])
    messages.success(request, "Thank you. Your instructor has your report, with this submission.")
    return redirect("grader:submission", found.pk)


@signed_in
@require_POST
def settle(request: Request, problem: int) -> HttpResponse:
    found = get_object_or_404(access.problems(request.user).select_related("submission__item__course"), pk=problem)
    problems.settle(problem=found)
    return redirect("grader:inbox", found.submission.item.course.slug)


@signed_in
@require_POST
def hold(request: Request, item: int) -> HttpResponse:
    """Pause or resume grading of an exercise."""
    found = get_object_or_404(access.managed_exercises(request.user), pk=item)
    if request.POST.get("held") == "1":
        problems.hold(item=found)
        messages.success(request, "Grading is paused. Submissions are kept and graded when you resume.")
    else:
        problems.release(item=found)
        messages.success(request, "Grading has resumed.")
    return redirect("grader:exercise", found.pk)
