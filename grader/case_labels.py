"""What tells tests of one title apart on the page. Of hidden tests only their number: their parameters stay hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.report import TestReport


def labels(tests: Sequence[TestReport], *, show_all: bool) -> list[str]:
    """One label for each test, empty where the title is enough.

    A sample test (with `show_all`, for teachers, any test) shows the parameters in its id, as "[2-8]"; the others of a
    title are counted, as "3 of 4".
    """
    titles = Counter(test.title for test in tests)
    hidden = Counter(test.title for test in tests if not _is_open(test, show_all))
    met: Counter[str] = Counter()
    result = []
    for test in tests:
        if titles[test.title] == 1:
            result.append("")
        elif _is_open(test, show_all):
            result.append(_parameters(test.name))
        else:
            met[test.title] += 1
            result.append(f"{met[test.title]} of {hidden[test.title]}" if hidden[test.title] > 1 else "")
    return result


def _is_open(test: TestReport, show_all: bool) -> bool:
    return show_all or test.sample


def _parameters(name: str) -> str:
    """The brackets of "test_shape[2-8]"."""
    _, bracket, parameters = name.partition("[")
    return bracket + parameters
