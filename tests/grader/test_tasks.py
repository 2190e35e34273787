from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from courses.models import Item, Result
from exercises.services import load_package, publish, store_proof
from grader import progress, queue, tasks, wakeups
from grader.models import State, Submission
from grader.sandbox import Sandbox, SandboxUnavailable
from tests.grader.small import FILES, TOML, QueueUp, make_package
from tests.services import Broker, StartWorker, wait_until

TWO_TESTS = (
    f"{FILES['tests.py']}def test_four(solution):\n"
    "    '''Twice four.'''\n"
    "    close(solution.double(np.array([4.0])), np.array([8.0]))\n"
)


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Sandbox], Submission | None]], None]:
    """Replace the grading of one row; the sandbox is never entered."""

    def by(grade_next: Callable[[Sandbox], Submission | None]) -> None:
        monkeypatch.setattr(tasks, "own_sandbox", Sandbox)
        monkeypatch.setattr(tasks, "why_unfit", lambda sandbox: "")
        monkeypatch.setattr(tasks, "_fit", False)
        monkeypatch.setattr(tasks, "_resting_until", 0.0)
        monkeypatch.setattr(tasks, "grade_next", grade_next)

    return by


def all_done() -> bool:
    return not Submission.objects.exclude(state=State.DONE).exists()


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_grades_what_is_handed_in(queue_up: QueueUp, start_worker: StartWorker) -> None:
    start_worker()
    row = queue_up()
    wait_until(all_done, seconds=60, what="the submission is graded")
    row.refresh_from_db()
    assert (row.verdict, row.tries) == ("accepted", 1)
    report = row.read_report()
    assert report is not None
    assert [test.title for test in report.tests] == ["Twice three."]
    assert Result.objects.get().origin == row.origin


@pytest.mark.django_db(transaction=True)
def test_one_wake_up_is_enough_for_all_that_waits(
    queue_up: QueueUp, start_worker: StartWorker, any_broker: Broker
) -> None:
    any_broker.kill()
    for name in ("ada", "bob", "eve"):
        queue_up(by=name)
    any_broker.start()
    assert wakeups.waiting() == 0
    wakeups.send()
    start_worker()
    wait_until(all_done, seconds=60, what="all three are graded")
    assert set(Submission.objects.values_list("tries", flat=True)) == {1}


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_told_to_stop_finishes_or_hands_back_what_it_grades(
    item: Item, queue_up: QueueUp, start_worker: StartWorker
) -> None:
    publish_with_limits(seconds=60, tests=TWO_TESTS)
    item.refresh_from_db()  # it remembers what was published before
    worker = start_worker(concurrency=2)
    long, short = (queue_up(by=name, source=asleep_at_four(seconds=s)) for name, s in (("ada", 600), ("bob", 2)))

    def both_in_their_second_test() -> bool:
        # Not before: a sandbox that is still starting would use up the time to finish.
        steps = [progress.get(row.pk) for row in (long, short)]
        return all(step is not None and step.done == 1 for step in steps)

    wait_until(both_in_their_second_test, seconds=120, what="both are being graded")
    late = queue_up(by="eve", not_before=timezone.now() + timedelta(seconds=4))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=tasks.FINISHING_SECONDS + 10) == 0
    states = {row.pk: (row.state, row.tries) for row in Submission.objects.all()}
    assert states == {long.pk: (State.QUEUED, 0), short.pk: (State.DONE, 1), late.pk: (State.QUEUED, 0)}
    assert queue.claim() == long


def asleep_at_four(*, seconds: int) -> str:
    return f"import time\ndef double(x):\n    time.sleep({seconds} * (x[0] == 4))\n    return 2 * x\n"


def publish_with_limits(*, seconds: int, tests: str = FILES["tests.py"]) -> None:
    limits = f"cpu_seconds = {seconds}.0\ntotal_cpu_seconds = {seconds}.0\n"
    revision = load_package(package=make_package(toml=TOML.partition("cpu_seconds")[0] + limits, tests=tests))
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    publish(revision=revision)


def test_a_turn_is_bounded_and_passes_the_word_on(
    queue_up: QueueUp, graded: Callable[..., None], embedded_broker: Broker
) -> None:
    row = queue_up()
    graded(lambda sandbox: row)
    assert tasks.wake() == tasks.MOST_ROWS
    assert wakeups.waiting() == 1


def test_nothing_left_is_nothing_to_pass_on(db: None, graded: Callable[..., None], embedded_broker: Broker) -> None:
    graded(lambda sandbox: None)
    assert tasks.wake() == 0
    assert wakeups.waiting() == 0


def test_a_worker_without_a_sandbox_claims_nothing_for_a_while_and_leaves_the_word_to_others(
    queue_up: QueueUp,
    graded: Callable[..., None],
    embedded_broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue_up()
    asked = []

    def unavailable(sandbox: Sandbox) -> Submission | None:
        asked.append(sandbox)
        raise SandboxUnavailable("seccomp is missing")

    graded(unavailable)
    monkeypatch.setattr(tasks, "PASSING_SECONDS", 0.0)
    assert tasks.wake() == tasks.wake() == 0
    assert len(asked) == 1
    assert wakeups.waiting() == 2  # both words were passed on
    monkeypatch.setattr(tasks, "_resting_until", 0.0)
    tasks.wake()
    assert len(asked) == 2
    assert "seccomp is missing" in caplog.text


def test_a_worker_that_cannot_judge_claims_no_row_at_all(
    queue_up: QueueUp, graded: Callable[..., None], embedded_broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = queue_up()
    graded(lambda sandbox: pytest.fail("claimed a row"))
    monkeypatch.setattr(tasks, "why_unfit", lambda sandbox: "the checker is not confined")
    monkeypatch.setattr(tasks, "PASSING_SECONDS", 0.0)
    assert tasks.wake() == 0
    row.refresh_from_db()
    assert (row.state, row.tries) == (State.QUEUED, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user has no privileges that could be dropped")
@pytest.mark.parametrize("any_broker", ["embedded"], indirect=True)
@pytest.mark.django_db(transaction=True)
def test_beside_a_worker_that_cannot_confine_a_good_one_judges_every_row(
    queue_up: QueueUp, start_worker: StartWorker, tmp_path: Path
) -> None:
    start_worker(unprivileged=True)
    (log,) = tmp_path.glob("worker-*.log")
    rows = [queue_up(by=name) for name in ("ada", "bob", "eve")]
    wait_until(lambda: "this worker does not grade" in log.read_text(), seconds=60, what="the bad worker tries itself")
    time.sleep(3 * tasks.PASSING_SECONDS)  # in which it may do harm
    for row in rows:
        row.refresh_from_db()
        assert (row.state, row.tries, row.fault) == (State.QUEUED, 0, "")
    start_worker()
    more = [queue_up(by=name) for name in ("fay", "gus", "hal")]
    wait_until(all_done, seconds=90, what="all are graded")
    for row in (*rows, *more):
        row.refresh_from_db()
        assert (row.state, row.verdict, row.tries) == (State.DONE, "accepted", 1)
