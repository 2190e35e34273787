"""Everything that is tested, in named parts with a time budget each. Usage: python -m scripts.suite [PART...]

Prints the parts' times against their budgets at the end, and then, as the last line, one pytest summary of all.
"""

import contextlib
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scripts.check import check
from scripts.postgres import postgres

BASE = Path(__file__).resolve().parent.parent
RESULTS = BASE / "build" / "tests"
PATIENCE = 3
"""A part that takes this many times its budget hangs, and is ended."""

ENGINE = ("tests/grader/sandbox", "tests/grader/checker", "tests/grader/test_judge.py")
HOSTILE = ("tests/hostile",)
QUEUE = ("tests/chaos",)
BROWSER = ("tests/browser",)
BENCH = ("tests/bench",)
PROGRAMS = ("tests/programs",)
DATABASE = ("tests/courses", "tests/grader", "tests/web")
OF_THEIR_OWN = (*ENGINE, *HOSTILE, *QUEUE, *BROWSER, *BENCH, *PROGRAMS)


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    budget: int
    """Seconds on two cores."""
    paths: tuple[str, ...]
    without: tuple[str, ...] = ()
    parallel: bool = False
    on_postgres: bool = False
    only_if_named: bool = False
    """CI names it, too."""

    def arguments(self) -> list[str]:
        return [*self.paths, *(f"--ignore={path}" for path in self.without), *(("-n2",) if self.parallel else ())]


PARTS = (
    Part("unit", 330, ("tests",), without=OF_THEIR_OWN, parallel=True),
    Part("postgres", 190, DATABASE, without=ENGINE, parallel=True, on_postgres=True),
    Part("engine", 280, ENGINE),
    Part("hostile", 220, HOSTILE),
    Part("queue", 60, QUEUE),
    Part("browser", 355, BROWSER),
    Part("bench", 300, BENCH, only_if_named=True),
    Part("programs", 300, PROGRAMS, parallel=True, only_if_named=True),
)
USUAL = [part.name for part in PARTS if not part.only_if_named]
CHECK_BUDGET = 60  # in a fresh clone, where no type has been checked before


@dataclass(slots=True)
class Outcome:
    name: str
    budget: int
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    problem: str = ""


def run_check() -> Outcome:
    began = time.monotonic()
    problem = "" if check() else "failed"
    return Outcome("check", CHECK_BUDGET, time.monotonic() - began, problem=problem)


def run_part(part: Part) -> Outcome:
    print(f"\n=== {part.name} (budget {part.budget} s)", flush=True)
    began = time.monotonic()
    outcome = Outcome(part.name, part.budget)
    results = RESULTS / f"{part.name}.xml"
    results.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={results}", *part.arguments()]
    with database(part) as environment:
        try:
            code = subprocess.run(
                command, cwd=BASE, env=environment, timeout=PATIENCE * part.budget, check=False
            ).returncode
            outcome.problem = "" if code == 0 else "failed"
        except subprocess.TimeoutExpired:
            outcome.problem = "hung"
    outcome.seconds = time.monotonic() - began
    outcome.counts = read_counts(results)
    if not outcome.problem and not outcome.counts.get("passed"):
        outcome.problem = "ran no test"
    return outcome


@contextlib.contextmanager
def database(part: Part) -> Iterator[dict[str, str]]:
    """The part's environment: ours, less what would lead a test to somebody's own database or broker."""
    mine = (
        "DATABASE_URL",
        "REDIS_URL",
        "SECRET_KEY",
        "GRADUS_VAR",
        "GRADUS_DEMO",
        "GRADUS_TIME_ZONE",
        "DEBUG",
        "ALLOWED_HOSTS",
    )
    environment = {name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in mine}
    if part.parallel:  # else torch's threads in one process wait for a processor that the other process has
        environment["OMP_NUM_THREADS"] = "1"
    if not part.on_postgres:
        yield environment
        return
    with postgres() as url:
        yield {**environment, "DATABASE_URL": url}


def read_counts(results: Path) -> dict[str, int]:
    if not results.exists():
        return {}
    counts = dict.fromkeys(("failed", "passed", "skipped", "error"), 0)
    for suite in ElementTree.parse(results).iter("testsuite"):
        failed, skipped, error = (int(suite.get(name, 0)) for name in ("failures", "skipped", "errors"))
        counts["failed"] += failed
        counts["skipped"] += skipped
        counts["error"] += error
        counts["passed"] += int(suite.get("tests", 0)) - failed - skipped - error
    return counts


def table(outcomes: list[Outcome]) -> str:
    lines = [f"{'part':<12}{'seconds':>9}{'budget':>8}  tests"]
    for outcome in outcomes:
        late = "over budget" if outcome.seconds > outcome.budget else ""
        told = ", ".join(f"{count} {word}" for word, count in outcome.counts.items() if count) or "no tests"
        line = f"{outcome.name:<12}{outcome.seconds:>9.1f}{outcome.budget:>8}  {told}"
        lines.append("  ".join([line, *(remark for remark in (outcome.problem, late) if remark)]))
    total, budget = sum(outcome.seconds for outcome in outcomes), sum(outcome.budget for outcome in outcomes)
    return "\n".join([*lines, f"{'whole':<12}{total:>9.1f}{budget:>8}"])


def summary(outcomes: list[Outcome]) -> str:
    """One line for all parts, as pytest words it. A part that failed without a failed test counts as an error."""
    counts = dict.fromkeys(("failed", "passed", "skipped", "error"), 0)
    for outcome in outcomes:
        for word, count in outcome.counts.items():
            counts[word] += count
        if outcome.problem and not outcome.counts.get("failed") and not outcome.counts.get("error"):
            counts["error"] += 1
    told = ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "no tests ran"
    return f"===== {told} in {sum(outcome.seconds for outcome in outcomes):.2f}s ====="


def main() -> int:
    wanted = sys.argv[1:]
    names = ["check", *(part.name for part in PARTS)]
    unknown = [name for name in wanted if name not in names]
    if unknown:
        print(f"There is no part {unknown[0]!r}; the parts are {', '.join(names)}.", file=sys.stderr)
        return 2
    RESULTS.mkdir(parents=True, exist_ok=True)
    outcomes = []
    if not wanted or "check" in wanted:
        outcomes.append(run_check())
    outcomes += [run_part(part) for part in PARTS if part.name in (wanted or USUAL)]
    print(f"\n{table(outcomes)}\n\n{summary(outcomes)}", flush=True)
    return 1 if any(outcome.problem for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
