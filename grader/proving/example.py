"""The statement's worked example and the sample tests say the same."""

from __future__ import annotations

import math
import re

from exercises.package import Package
from grader.sandbox import Sandbox
from grader.trials import numbers_in_samples

_HEADING = re.compile(r"^#+ .*\bexample\b.*$", re.IGNORECASE | re.MULTILINE)
_SECTION = re.compile(r"^#+ ", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|$\n?)+", re.MULTILINE)
_DECIMAL = re.compile(r"(?<![\w.])[-−]?\d+\.(\d+)(?![\w.])")


def example_problems(package: Package, sandbox: Sandbox) -> list[str]:
    """prompt.md has a section with an example, and the sample tests give or take every decimal number of its result.

    The result is the last table or program with decimals; those before it show what is given, and the way there.
    """
    if not _HEADING.search(package.prompt):
        return ["prompt.md has no section “Example”. Work a small one out, with numbers."]
    shown = shown_decimals(package.prompt)
    known = numbers_in_samples(package, sandbox)
    if not known:
        return ["No test is marked @sample. Let learners see at least the statement's example."]
    strange = [text for text, value, digits in shown if not any(_rounds_to(one, value, digits) for one in known)]
    if strange:
        return [
            f"The example of prompt.md shows {', '.join(strange[:5])}, which no sample test gives or takes. "
            "Test the example as it is shown."
        ]
    return []


def shown_decimals(prompt: str) -> list[tuple[str, float, int]]:
    """Text, value and digits after the point of the decimal numbers that each section “Example” ends with."""
    found = []
    for heading in _HEADING.finditer(prompt):
        rest = prompt[heading.end() :]
        ending = _SECTION.search(_CODE.sub(lambda code: " " * len(code.group()), rest))
        section = rest[: ending.start()] if ending else rest
        parts = sorted((*_CODE.finditer(section), *_TABLE.finditer(section)), key=lambda part: part.start())
        decimals = [list(_DECIMAL.finditer(part.group())) for part in parts]
        for match in next(filter(None, reversed(decimals)), ()):
            text = match.group()
            found.append((text, float(text.replace("−", "-")), len(match.group(1))))
    return found


def _rounds_to(exact: float, shown: float, digits: int) -> bool:
    """Half a unit of the last digit, and a little for a computation in float32."""
    return math.isclose(exact, shown, rel_tol=1e-6, abs_tol=0.5 * 10.0**-digits + 1e-9)
