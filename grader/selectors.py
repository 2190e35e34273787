"""What a page shows of a submission. Here a report is cut down to what its reader may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q
from django.utils import timezone

from courses import moments
from courses.models import Item
from exercises.package import Feedback
from grader import progress, wording
from grader.case_labels import labels
from grader.heatmaps import Exhibit, HeatMap, exhibits, heat_map
from grader.models import Kind, State, Submission, SubmissionQuerySet
from grader.report import MistakeFound, Outcome, Report, TestReport, Verdict

STATES: dict[str, tuple[str, str]] = {
    State.QUEUED: ("Waiting", "Your code is kept and waits for its turn."),
    State.RUNNING: ("Running", "The tests are running."),
    State.HELD: ("Held", wording.HELD),
    State.CANCELLED: ("Cancelled", "This submission was taken out of the queue. It counts as no attempt."),
    State.REPLACED: (
        "Replaced",
        "You started a newer sample run before this one began, so only the newer one was run.",
    ),
}
PAUSED = ("Waiting", "Grading of this exercise is paused. Your code is kept and will be graded when it resumes.")

REPORT_REMOVED = "The detailed report was removed on {day}, {days} days after grading; the rest is kept."
REPORT_REMOVED_TEACHER = " “Grade again” makes a new one from the same code."

OUTCOMES: dict[Outcome, str] = {
    **{Outcome(verdict.value): title for verdict, title in wording.TITLES.items() if verdict is not Verdict.ACCEPTED},
    Outcome.RUNTIME_ERROR: "Error",
    Outcome.PASSED: "Passed",
    Outcome.NOT_RUN: "Not run",
}

NAMES = {"where": "Where", "expected": "Expected", "got": "Yours", "max_abs": "Largest error"}
# By kind of failure: what is worth reading at a glance beside the sentence, unless the numbers are drawn.
FACTS: dict[str, tuple[str, ...]] = {"shape": ("expected", "got"), "values": ("where", "expected", "got", "max_abs")}


@dataclass(frozen=True, slots=True)
class ShownTest:
    """A test as its reader may see it; what is withheld is empty. `opened`: the first failure. `case` tells it from
    others of its title."""

    title: str
    sample: bool
    points: int
    passed: bool
    outcome: str
    case: str = ""
    message: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    heat: HeatMap | None = None
    exhibits: tuple[Exhibit, ...] = ()
    traceback: str = ""
    stdout: str = ""
    stderr: str = ""
    withheld: bool = False
    opened: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A submission as its reader may see it. `mood` is one of good, bad, waiting and odd."""

    submission: Submission
    title: str
    message: str
    mood: str
    tests: tuple[ShownTest, ...] = ()
    mistakes: tuple[MistakeFound, ...] = ()
    looking: bool = False
    """Whether it is still being found out which mistakes were made."""
    done: int = 0
    total: int = 0

    @property
    def finished(self) -> bool:
        return self.submission.is_finished

    @property
    def is_sample(self) -> bool:
        return self.submission.kind == Kind.SAMPLE

    @property
    def is_invalid(self) -> bool:
        """The code could not be run at all: its tests say nothing."""
        return self.submission.verdict == Verdict.INVALID_SUBMISSION


def shown(submission: Submission, *, to_teacher: bool) -> Shown:
    """Needs `submission.item` and `submission.revision` loaded. Teachers see all of the report."""
    if submission.state != State.DONE:
        return _unfinished(submission)
    report = submission.read_report()
    if report is None:
        return _without_report(submission, to_teacher=to_teacher)
    feedback = None if to_teacher else submission.revision.package().spec.feedback
    first_failure = next((test.name for test in report.tests if test.outcome is not Outcome.PASSED), None)
    return Shown(
        submission=submission,
        title=_title(submission),
        message=_message(submission, report),
        mood="good" if report.accepted else "bad",
        tests=tuple(
            _test(test, feedback, case=case, opened=test.name == first_failure)
            for test, case in zip(report.tests, labels(report.tests, show_all=to_teacher), strict=True)
        ),
        mistakes=report.mistakes,
        looking=not report.accepted and not report.mistakes and _may_be_looked_at(submission),
    )


def _may_be_looked_at(submission: Submission) -> bool:
    """Whether mistakes are still looked for. Redis is asked only about what was judged just now."""
    judged, longest = submission.judged_at, timedelta(seconds=progress.MOST_SECONDS_LOOKING)
    return judged is not None and timezone.now() - judged < longest and progress.is_looking(submission.pk)


def latest(*, item: Item, person_id: int) -> Submission | None:
    return of_person(item=item, person_id=person_id).select_related("item", "revision").defer("revision__files").first()


def of_person(*, item: Item, person_id: int) -> SubmissionQuerySet:
    """One person's work on an item, newest first; regrades belong to what they regrade."""
    rows = Submission.objects.filter(item=item, user=person_id).exclude(kind=Kind.REGRADE)
    return rows.exclude(state=State.REPLACED).newest_first()


def history(*, item: Item, person_id: int, limit: int = 20) -> list[Submission]:
    """Each with `graded_again`: whether a regrade of it has come to a verdict."""
    regrades = Submission.objects.filter(regrade_of=OuterRef("pk"), state=State.DONE)
    rows = of_person(item=item, person_id=person_id).annotate(graded_again=Exists(regrades))
    return list(rows.defer("source", "report")[:limit])


@dataclass(frozen=True, slots=True)
class Grading:
    """One of the times that a submission was graded. `counts`: the mark comes from it."""

    submission: Submission
    counts: bool


def gradings(submission: Submission) -> list[Grading]:
    """A submission and its regrades, oldest first, whichever of them is given; empty unless it was ever regraded."""
    first = submission.regrade_of_id or submission.pk
    rows = Submission.objects.filter(Q(pk=first) | Q(regrade_of=first)).defer("source", "report").order_by("pk")
    if len(rows) < 2:
        return []
    # As `grading.record` pushes results: each replaces the one before, and what could not be read brings none.
    judged = [row for row in rows if row.judged_at and row.verdict != Verdict.INVALID_SUBMISSION]
    last = max(judged, key=lambda row: (row.judged_at, row.pk), default=None)
    return [Grading(row, counts=row == last) for row in rows]


def _unfinished(submission: Submission) -> Shown:
    paused = submission.state == State.QUEUED and submission.item.held
    title, message = PAUSED if paused else STATES[submission.state]
    mood = "odd" if submission.state in (State.HELD, State.CANCELLED, State.REPLACED) else "waiting"
    step = progress.get(submission.pk) if submission.state == State.RUNNING else None
    if step is None:
        return Shown(submission, title, message, mood)
    tests = tuple(_finished(one, [other.title for other in step.tests[:place]]) for place, one in enumerate(step.tests))
    return Shown(submission, title, message, mood, tests, done=step.done, total=step.total)


def _finished(step: progress.Step, before: list[str]) -> ShownTest:
    """A test that has ended while others still run. How many there are of its title is not known yet."""
    return ShownTest(
        step.title,
        sample=False,
        points=0,
        passed=step.outcome == Outcome.PASSED,
        outcome=OUTCOMES[Outcome(step.outcome)],
        case=str(before.count(step.title) + 1) if step.title in before else "",
    )


def _without_report(submission: Submission, *, to_teacher: bool) -> Shown:
    """What is left to show once the report was kept long enough."""
    removed, judged = submission.report_removed_at, submission.judged_at
    assert removed
    assert judged
    day = moments.text(removed, submission.item.course)
    message = REPORT_REMOVED.format(day=day, days=(removed - judged).days)
    can_be_made_again = to_teacher and submission.kind != Kind.SAMPLE
    return Shown(
        submission=submission,
        title=_title(submission),
        message=message + REPORT_REMOVED_TEACHER * can_be_made_again,
        mood="good" if submission.verdict == Verdict.ACCEPTED else "bad",
    )


def _title(submission: Submission) -> str:
    verdict = Verdict(submission.verdict)
    if verdict is Verdict.ACCEPTED and submission.kind == Kind.SAMPLE:
        return "Samples passed"
    return wording.TITLES[verdict]


def _message(submission: Submission, report: Report) -> str:
    if report.accepted and submission.kind == Kind.SAMPLE:
        return "Every sample test passed. Submit to run the hidden tests too."
    return report.message


def _test(test: TestReport, feedback: Feedback | None, *, case: str, opened: bool) -> ShownTest:
    passed = test.outcome is Outcome.PASSED
    open_to_reader = test.sample or feedback is None
    may_print = open_to_reader or (feedback is not None and feedback.hidden_output)
    return ShownTest(
        title=test.title,
        sample=test.sample,
        points=test.points,
        passed=passed,
        outcome=OUTCOMES[test.outcome],
        case=case,
        **(_why(test) if open_to_reader or feedback is None else _hidden_why(test, feedback)),
        stdout=test.stdout if may_print else "",
        stderr=test.stderr if may_print else "",
        exhibits=exhibits(test.details) if test.sample else (),
        withheld=not (may_print or passed) and bool(test.stdout or test.stderr),
        opened=opened,
    )


def _why(test: TestReport) -> dict[str, Any]:
    details = test.details
    heat = heat_map(details)
    keys = () if heat and heat.numbers else FACTS.get(details.get("kind", ""), ())
    return {
        "message": test.message,
        "facts": tuple((NAMES[key], _fact(details[key])) for key in keys if key in details),
        "heat": heat,
        "traceback": str(details.get("traceback", "")),
    }


def _fact(value: object) -> str:
    """As Python writes it; a list is a shape, so a tuple."""
    if isinstance(value, list):
        return str(tuple(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _hidden_why(test: TestReport, feedback: Feedback) -> dict[str, Any]:
    """Of a hidden test: the kind of failure; values and exceptions only if the author's policy allows."""
    if test.outcome is Outcome.WRONG_ANSWER:
        message = test.message if feedback.hidden_message else str(test.details.get("headline", ""))
        return {"message": message}
    if test.outcome is Outcome.RUNTIME_ERROR:
        return _why(test) if feedback.hidden_exception else {}
    return {"message": test.message}


@dataclass(frozen=True, slots=True)
class QueueState:
    """How the queue does: who looks after it is told by `held` above 0, or by an `oldest_seconds` that grows."""

    waiting: int
    oldest_seconds: int
    held: int


def queue_state() -> QueueState:
    queued, held = Q(state=State.QUEUED), Q(state=State.HELD)
    facts = Submission.objects.filter(queued | held).aggregate(
        waiting=Count("pk", filter=queued), oldest=Min("created_at", filter=queued), held=Count("pk", filter=held)
    )
    now = timezone.now()
    return QueueState(facts["waiting"], int((now - (facts["oldest"] or now)).total_seconds()), facts["held"])
