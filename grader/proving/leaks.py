"""Do the tests keep to themselves what they expect? A learner's code may return whatever it was sent before."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.package import Package
from grader.sandbox import Sandbox
from grader.trials import Leak, answers_sent_along


@dataclass(frozen=True, slots=True)
class LeakFindings:
    """`public` are the tests that compare with what was sent and may, each with its author's reason."""

    problems: tuple[str, ...] = ()
    public: tuple[str, ...] = ()


NO_LEAKS = LeakFindings()


def examine_leaks(package: Package, sandbox: Sandbox, seeds: tuple[int, ...]) -> LeakFindings:
    """Run the tests on the reference under every seed; what one expects and one before it sent needs a reason."""
    leaks, public = answers_sent_along(package, seeds, sandbox)
    first = {leak.test: leak for leak in reversed(leaks)}
    problems = [_told(leak) for test, leak in sorted(first.items()) if test not in public]
    problems += [
        f"{test}: is marked @public, but nothing that it compares with was sent before. Remove the mark."
        for test in public
        if test not in first
    ]
    return LeakFindings(tuple(problems), tuple(f"{test}: {public[test]}" for test in public if test in first))


def _told(leak: Leak) -> str:
    numbers = ", ".join(f"{number:.4g}" for number in leak.numbers)
    sent = "it had sent to the learner itself" if leak.sender == leak.test else f"{leak.sender} had sent to the learner"
    return (
        f"{leak.test}: compares with {numbers}…, which {sent}, so it can be returned without being computed. "
        "Send something else; or, if learners may know it, say why with @public."
    )
