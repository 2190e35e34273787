from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone
from kombu.transport.redis import Channel

from grader import queue, wakeups
from grader.management.commands.sweep import sweep, sweep_or_log
from grader.models import MAX_TRIES, State, Submission
from tests.grader.small import QueueUp
from tests.services import BASE, Broker, database_url, wait_until


def test_each_waiting_row_gets_one_wake_up(queue_up: QueueUp, embedded_broker: Broker) -> None:
    for _ in range(3):
        queue_up()
    assert sweep() == 3
    assert wakeups.waiting() == 3


def test_unanswered_wake_ups_are_not_sent_again(queue_up: QueueUp, embedded_broker: Broker) -> None:
    queue_up()
    sweep()
    assert sweep() == 0
    queue_up()
    assert sweep() == 1


def test_a_full_queue_is_woken_for_within_bounds(queue_up: QueueUp, embedded_broker: Broker) -> None:
    for number in range(wakeups.MOST_WAITING + 4):
        queue_up(by=f"person{number}")
    assert sweep() == wakeups.MOST_WAITING


def test_an_expired_lease_is_woken_for_and_an_exhausted_one_is_held(queue_up: QueueUp, embedded_broker: Broker) -> None:
    gone = {"state": State.RUNNING, "claim_token": uuid4(), "lease_until": timezone.now() - timedelta(seconds=1)}
    queue_up(**gone, tries=1)
    exhausted = queue_up(**gone, tries=MAX_TRIES)
    assert sweep() == 1
    exhausted.refresh_from_db()
    assert (exhausted.state, exhausted.fault) == (State.HELD, queue.WORKER_LOST)


def test_rows_that_may_not_be_graded_yet_are_left_alone(queue_up: QueueUp, embedded_broker: Broker) -> None:
    queue_up(not_before=timezone.now() + timedelta(minutes=1))
    queue_up(state=State.HELD)
    assert sweep() == 0


def test_one_sweep_says_what_it_sent(
    queue_up: QueueUp, embedded_broker: Broker, capsys: pytest.CaptureFixture[str]
) -> None:
    queue_up()
    call_command("sweep")
    assert capsys.readouterr().out == "1 wake-ups sent\n"


@pytest.mark.django_db(transaction=True)
def test_the_loop_outlives_a_broker_that_is_down(
    queue_up: QueueUp, no_broker: None, caplog: pytest.LogCaptureFixture
) -> None:
    queue_up()
    sweep_or_log()
    assert "this sweep was skipped" in caplog.text
    assert "nothing.sock" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_loop_outlives_a_broker_that_dies_while_it_is_asked(
    queue_up: QueueUp, embedded_broker: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    queue_up()
    die_first(embedded_broker, "_size", monkeypatch)
    sweep_or_log()
    assert "this sweep was skipped" in caplog.text
    assert str(embedded_broker.socket_file) in caplog.text


def test_a_wake_up_during_which_the_broker_dies_is_not_sent(
    embedded_broker: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    die_first(embedded_broker, "_put", monkeypatch)
    assert not wakeups.send()
    assert "no wake-up was sent" in caplog.text


def die_first(broker: Broker, request: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once connected to, the broker dies just before that request reaches it."""
    ask = getattr(Channel, request)

    def kill_and_ask(*args: Any, **kwargs: Any) -> Any:
        broker.kill()
        return ask(*args, **kwargs)

    monkeypatch.setattr(Channel, request, kill_and_ask)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.django_db(transaction=True)
def test_the_loop_wakes_workers_until_it_is_told_to_stop(
    queue_up: QueueUp, embedded_broker: Broker, tmp_path: Path, number: signal.Signals
) -> None:
    embedded_broker.kill()
    queue_up()  # its wake-up finds no broker
    embedded_broker.start()
    environment = {"DATABASE_URL": database_url(), "REDIS_URL": embedded_broker.url, "GRADUS_VAR": str(tmp_path)}
    command = [sys.executable, str(BASE / "manage.py"), "sweep", "--loop", "--every", "0.1"]
    with subprocess.Popen(command, env=environment) as loop:
        try:
            wait_until(lambda: wakeups.waiting() == 1, seconds=20, what="a wake-up was sent")
        finally:
            loop.send_signal(number)
        assert loop.wait(timeout=10) == 0
    assert Submission.objects.get().state == State.QUEUED
