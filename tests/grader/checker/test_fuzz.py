"""The wire, fuzzed: fewer mutants than the benchmark makes, by the same hands."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch

from exercises.testkit.values import decode, encode
from grader.sandbox.wire import Kind
from scripts.bench.fuzz import HEADERS_GOAL, Fuzzed, fuzz_frames, fuzz_sessions
from scripts.bench.mutations import HEADER, frame, mutate_frame, mutate_value, scan
from scripts.bench.peer import Idle, Session
from scripts.bench.right import Asked, alike

VALUES = [
    {"value": np.ones((2, 3))},
    {"value": torch.zeros(4)},
    {"error": {"type": "ValueError", "line": 3}},
    [(1, 2.0)],
]


def test_damaged_frames_are_refused_by_name_or_are_what_they_say() -> None:
    found = fuzz_frames(8_000, seed=22)
    assert not found.violations
    assert found.header_passed >= HEADERS_GOAL * found.frames
    assert found.decoded > 0.1 * found.frames
    assert not found.missed, "a refusal that no mutant reaches is either dead or not tested"


def test_a_misbehaving_learner_neither_stops_the_checker_nor_passes() -> None:
    found = fuzz_sessions(40, 20, Fuzzed())
    assert not found.violations
    assert found.sessions == 40
    assert len(set(found.outcomes) - set(found.missed)) >= 10


# The hands themselves


@pytest.mark.parametrize("value", VALUES)
def test_what_is_taken_apart_is_put_together_again(value: object) -> None:
    data = encode(value)
    assert scan(data).joined() == data
    assert scan(data).spans[-1] == (0, len(scan(data).tokens))


def test_the_same_seed_makes_the_same_mutants() -> None:
    pool = [encode(value) for value in VALUES]

    def mutants(seed: int) -> list[bytes]:
        random = Random(seed)
        return [mutate_value(random.choice(pool), random, pool, 1000) for _ in range(200)]

    assert mutants(1) == mutants(1) != mutants(2)
    assert sum(mutant in pool for mutant in mutants(1)) < 20


def test_a_damaged_frame_is_damaged() -> None:
    whole, other = frame(encode(1), b"12345678"), frame(encode("two"), b"abcdefgh")
    random = Random(3)
    mutants = {mutate_frame(whole, random, other) for _ in range(300)}
    assert len(mutants) > 150
    assert any(len(mutant) < HEADER.size for mutant in mutants)


class _Forger(Session):
    """Answers every question with the right number of the wrong one."""

    def steps(self, asked):  # type: ignore[no-untyped-def]
        reply = decode(asked.honest)
        if isinstance(reply.get("value"), np.ndarray):
            reply["value"] = reply["value"] + 1.0
        yield frame(encode(reply), asked.call)


def test_the_sessions_own_judge_notices_what_the_checker_lets_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exercises.testkit.compare._Comparison.compare", lambda *args: None)
    with Idle() as idle_pid:
        violations = _Forger(Random(0), "rude").run(idle_pid).violations
    assert "test_array passed with a wrong reply" in violations


@pytest.mark.parametrize("reply", [{}, {"value": 3}, {"value": None, "mutated": True}])
def test_what_begins_a_test_answers_nothing_that_could_be_wrong(reply: dict[str, object]) -> None:
    request, call = encode({"do": "begin", "seed": 1}), b"12345678"
    stream = bytearray(frame(b"", bytes(8), Kind.READY) + frame(encode(reply), call))
    assert Asked(stream, 0, call, request, honest=encode({})).right


@pytest.mark.parametrize(
    "value, right, same",
    [
        (np.ones(2), np.ones(2), True),
        (np.ones(2), np.ones(2) + 1e-3, False),
        (np.ones((1, 2)), np.ones(2), False),
        (torch.ones(2), np.ones(2), False),
        (np.array([np.nan]), np.array([np.nan]), False),
        ([1, "a"], [1, "a"], True),
        ((1, "a"), [1, "a"], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (10**400, 10**400, True),
        (None, 0, False),
    ],
)
def test_alike_is_strict(value: object, right: object, same: bool) -> None:
    assert alike(value, right) is same
