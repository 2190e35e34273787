"""Which known mistake does this submission make? Asked only after the verdict is told, and never able to change it.

Every mistake runs as a learner, in a confined process that has seen no submission, and is asked what a failed test
asked: of all the smallest test, of those that answer alike the others, and of those that may be named the passed tests,
which a mistake must pass, too. What counts is what both computed alike and wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from exercises.testkit.collect import TestCase
from exercises.testkit.solution import MalformedReply, ReplyTooLarge, Solution
from exercises.testkit.tolerance import Tolerance
from grader import wording
from grader.checker import alike
from grader.checker.alike import Answer, Match
from grader.checker.job import DIAGNOSIS_SECONDS, MOST_MISTAKES, Job, Named
from grader.checker.loading import NotLoaded, begin_test
from grader.checker.recording import MAX_TESTS, Recording
from grader.checker.reference import Reference
from grader.checker.remote import Budget, Fault, RemoteLearner, Stopped
from grader.checker.runner import attempt
from grader.report import Outcome

MAX_CALLS = 64
_FIRST_TESTS = 3
"""So many of the smallest failed tests may be the one that tells mistakes apart: a second fault may spoil the first."""
_ENOUGH_FOR_A_PART = 3
"""Wrong values that agree, where a mistake explains only some of the failed tests."""


@dataclass(slots=True)
class Known:
    """What mistakes answered before, for programs that are tried one after the other and mostly asked the same.

    `told`: by source, seed and test, the answer to one request after the other; None: nothing any more.
    `passed`: by source and seed, whether it passes a test.
    """

    told: dict[tuple[str, int, str], list[tuple[bytes, bytes | None]]] = field(default_factory=dict)
    passed: dict[tuple[str, int], dict[str, bool]] = field(default_factory=dict)

    def clear(self) -> None:
        self.told.clear()
        self.passed.clear()


def diagnose(
    job: Job, recordings: Sequence[Recording], passed: Sequence[TestCase], learner: RemoteLearner, known: Known
) -> list[Named]:
    """The mistakes that this submission makes: none, one, or two that explain different tests.

    `recordings` are of failed tests. `learner` is one that has seen no submission.
    """
    usable = [recording for recording in recordings if recording.usable][:MAX_TESTS]
    if not usable or not job.mistakes:
        return []
    search = _Search(job, sorted(usable, key=_size), passed, learner, known)
    found = search.run()
    if learner.budget.spent:
        known.clear()  # the last one may have been stopped for want of time
        return []
    return found


def might_be_named(job: Job, recordings: Sequence[Recording], learner: RemoteLearner, known: Known) -> bool:
    """Whether any mistake fails the smallest of these tests alike."""
    usable = [recording for recording in recordings if recording.usable][:MAX_TESTS]
    if not usable or not job.mistakes:
        return False
    search = _Search(job, sorted(usable, key=_size), (), learner, known)
    return any(search.explained(source, 0) for _, source in search.programs())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A spelling of a mistake, and what it explains, by number of the failed test."""

    slug: str
    source: str
    explains: dict[int, Match]

    @property
    def match(self) -> Match:
        return sum(self.explains.values(), Match())

    @property
    def convinces(self) -> bool:
        """Exceptions alone say little: only word for word, each of them, and they must be all there is."""
        match = self.match
        return bool(match.seen or match.kinds or 0 < match.same_exceptions == match.exceptions)


class _Search:
    def __init__(
        self, job: Job, failed: list[Recording], passed: Sequence[TestCase], learner: RemoteLearner, known: Known
    ) -> None:
        self._job, self._failed, self._passed, self._learner, self._known = job, failed, passed, learner, known
        self._tests = frozenset(range(len(failed)))
        self._reference = Reference(job)
        self._budget = Budget(job.cpu_seconds, DIAGNOSIS_SECONDS)
        learner.take(self._budget, loads=self._budget)

    def programs(self) -> Iterator[tuple[str, str]]:
        return ((slug, source) for slug, sources in self._job.mistakes.items() for source in sources)

    def run(self) -> list[Named]:
        candidates = self._candidates(0)
        whole = [one for one in candidates if one.explains.keys() == self._tests and one.convinces]
        named = self._the_one(whole)
        if named:
            return [self._named(named)]
        if any(self._passes(one.source) for one in whole):
            return []  # two different mistakes explain it all: these tests do not tell them apart
        for test in range(1, min(_FIRST_TESTS, len(self._failed))):
            candidates += self._candidates(test)
        return self._in_parts(candidates)

    def _candidates(self, test: int) -> list[_Candidate]:
        """What explains this test, with all else that it explains."""
        telling = [(slug, source) for slug, source in self.programs() if self.explained(source, test)]
        return [_Candidate(slug, source, self._all_explained(source)) for slug, source in telling]

    def _all_explained(self, source: str) -> dict[int, Match]:
        found = ((test, self.explained(source, test)) for test in sorted(self._tests))
        return {test: match for test, match in found if match}

    def _the_one(self, candidates: Sequence[_Candidate]) -> _Candidate | None:
        """The candidate that fails nothing the submission passed; None unless all such are spellings of one mistake."""
        left = [one for one in candidates if self._passes(one.source)]
        return left[0] if len({one.slug for one in left}) == 1 else None

    def _in_parts(self, candidates: Sequence[_Candidate]) -> list[Named]:
        """One that explains more than all others, or two that explain different tests."""
        left = self._parts(candidates)
        rest = sorted(self._tests.difference(*(one.explains for one in left)))
        if left and rest:
            left = self._parts([*left, *self._candidates(rest[0])])
        one_each = {one.slug: one for one in sorted(left, key=lambda one: len(one.explains))}
        largest_first = list(one_each.values())[::-1]
        tests = [test for one in largest_first for test in one.explains]
        if len(one_each) > MOST_MISTAKES or len(tests) > len(set(tests)):
            return []  # they cannot be told apart where they meet
        return [self._named(one) for one in largest_first]

    def _parts(self, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """Those with evidence enough that fail nothing the submission passed; none that explains part of another's."""
        able = [one for one in candidates if one.match.seen >= _ENOUGH_FOR_A_PART and self._passes(one.source)]
        return [one for one in able if not any(one.explains.keys() < other.explains.keys() for other in able)]

    def _named(self, one: _Candidate) -> Named:
        tests, match = len(one.explains), one.match
        whole = one.explains.keys() == self._tests
        told = wording.evidence(values=match.values, tests=tests, of=len(self._tests))
        return Named(one.slug, told, whole)

    # One mistake, one test

    def explained(self, source: str, test: int) -> Match | None:
        """What `source` does wrongly as the submission did in a failed test; None if it answers otherwise, or right."""
        total = Match()
        recording, submitted, right = self._failed[test], self._submitted[test], self._right[test]
        replies = self._replies(source, recording)
        for exchange, ours, correct in zip(recording.exchanges[:MAX_CALLS], submitted, right, strict=True):
            theirs = self._read(exchange.request, next(replies, None))
            if ours is None or theirs is None:
                return None
            correct = ours if correct is None else correct
            if alike.asks_for_names(exchange.request):
                total += alike.match_beside(exchange.request, ours, theirs, correct)
                ours, theirs = ours.only(correct), theirs.only(correct)
            asked = alike.largest_asked(exchange.request)
            found = alike.match(ours, theirs, correct, self._tolerance(recording), asked)
            if found is None:
                return None
            total += found
        return total if total.any else None

    def _tolerance(self, recording: Recording) -> Tolerance:
        return recording.tolerance or Tolerance(self._job.rtol, self._job.atol)

    def _read(self, request: bytes, reply: bytes | None) -> Answer | None:
        return None if reply is None else alike.read(request, reply, self._job.reply_bytes)

    @cached_property
    def _submitted(self) -> list[list[Answer | None]]:
        """What the submission answered in every failed test."""
        return [
            [self._read(exchange.request, exchange.reply) for exchange in recording.exchanges[:MAX_CALLS]]
            for recording in self._failed
        ]

    @cached_property
    def _right(self) -> list[list[Answer | None]]:
        """What the reference answers in every failed test."""
        return [list(self._right_answers(recording)) for recording in self._failed]

    def _right_answers(self, recording: Recording) -> Iterator[Answer | None]:
        self._reference.at(recording.test)
        for exchange in recording.exchanges[:MAX_CALLS]:
            yield alike.read(exchange.request, self._reference.exchange(exchange.request), 1 << 30)

    def _replies(self, source: str, recording: Recording) -> Iterator[bytes]:
        """One after the other, as long as there are any; asked only as far as they are not known."""
        told = self._known.told.setdefault((source, self._job.seed, recording.test), [])
        exchanges = recording.exchanges[:MAX_CALLS]
        for place, exchange in enumerate(exchanges):
            if place >= len(told) or told[place][0] != exchange.request:
                told.clear()
                yield from self._asked(source, recording, told, after=place)
                return
            reply = told[place][1]
            if reply is None:
                return
            yield reply

    def _asked(
        self, source: str, recording: Recording, told: list[tuple[bytes, bytes | None]], after: int
    ) -> Iterator[bytes]:
        """Ask from the start, for an answer rests on those before; yield what comes in the place `after` and later."""
        self._budget.begin_test()
        solution = Solution(self._learner, reply_cap=self._job.reply_bytes)
        exchanges = recording.exchanges[:MAX_CALLS]
        try:
            begin_test(self._learner, solution, self._job, source, recording.test)
            for place, exchange in enumerate(exchanges):
                told.append((exchange.request, None))  # what stays if no answer comes
                reply = self._learner.exchange(exchange.request)
                told[-1] = (exchange.request, reply)
                if place >= after:
                    yield reply
        except (Stopped, NotLoaded, ReplyTooLarge, MalformedReply):
            if not told:
                told.append((exchanges[0].request, None))
        except Fault:
            told.clear()  # that nothing came was our doing
            raise

    def _passes(self, source: str) -> bool:
        """Whether it passes what the submission passed."""
        passed = self._known.passed.setdefault((source, self._job.seed), {})
        job = replace(self._job, source=source)
        for case in self._passed:
            if case.name not in passed:
                passed[case.name] = self._passes_one(job, case)
            if not passed[case.name]:
                return False
        return True

    def _passes_one(self, job: Job, case: TestCase) -> bool:
        self._budget.begin_test()
        try:
            ended = attempt(job, case, Recording(self._learner, case.name), self._reference)
        except (Stopped, NotLoaded, ReplyTooLarge, MalformedReply):
            self._learner.stop()
            return False
        return ended.outcome is Outcome.PASSED


def _size(recording: Recording) -> int:
    """What was asked, in bytes; and a model's names, for one of the usual size is made by few words."""
    return sum(
        len(exchange.request) + (len(exchange.reply or b"") if alike.asks_for_names(exchange.request) else 0)
        for exchange in recording.exchanges
    )
