"""Judge files as a worker would, without a row, a broker or a server. For authors and scripts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.package import PACKAGES, Package, PackageError, by_slug, slugs
from grader.intake import new_seed
from grader.judge import judge
from grader.report import Report, Verdict
from grader.sandbox import PlatformFault, Sandbox, SandboxUnavailable
from grader.source import MAX_BYTES

USAGE, FAULT = 2, 3
TEST_KEYS = ("name", "title", "sample", "points", "outcome", "message", "seconds")


class Command(BaseCommand):
    help = (
        "Judge files against an exercise. Exit status: 0 all accepted, 1 some not, 2 wrong usage, "
        "3 grading failed on our side."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", nargs="?", metavar="SLUG")
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument("--references", action="store_true", help="judge every exercise's own reference")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--seed", type=_seed, help="of the tests' random inputs; a new one unless given")

    def handle(
        self, *args: Any, slug: str | None, files: list[Path], seed: int | None, references: bool, **options: Any
    ) -> None:
        if references is bool(slug) or bool(slug) is not bool(files):
            raise CommandError("Give a SLUG and the FILEs to judge, or --references alone.", returncode=USAGE)
        chosen_files = _references() if references else [(_package(str(slug)), file) for file in files]
        sources = [(package, file, _read(file)) for package, file in chosen_files]
        chosen = new_seed() if seed is None else seed
        accepted = True
        try:
            with Sandbox(minimum_level=settings.GRADUS_LEAST_SANDBOX_LEVEL) as sandbox:
                for package, file, source in sources:
                    report = judge(package, source, seed=chosen, sandbox=sandbox)
                    accepted = accepted and report.accepted
                    self.stdout.write(_line(report, file) if options["json"] else _plain(_table(report, file)))
        except (PlatformFault, SandboxUnavailable) as error:
            raise CommandError(f"Grading failed on our side: {error}", returncode=FAULT) from None
        if not accepted:
            sys.exit(1)


def _package(slug: str) -> Package:
    try:
        return by_slug(slug)
    except PackageError as error:
        raise CommandError(" ".join(error.problems), returncode=USAGE) from None


def _references() -> list[tuple[Package, Path]]:
    return [(_package(slug), PACKAGES / slug / "reference.py") for slug in slugs()]


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"the seed must be a whole number from 0 to {2**31 - 1}, but it is {text!r}")
    return int(text)


def _read(file: Path) -> bytes:
    """No more than shows that it is too large: the file may be a device that never ends."""
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=USAGE) from None


def _line(report: Report, file: Path) -> str:
    data = report.to_json()
    found = {
        "exercise": report.exercise,
        "digest": report.digest,
        "file": str(file),
        "verdict": report.verdict,
        "score": report.score,
        "max_score": report.max_score,
        "tests": [{key: test[key] for key in TEST_KEYS} for test in data["tests"]],
        "mistake": report.mistake and {"slug": report.mistake.slug, "hint": report.mistake.hint},
        "mistakes": data["mistakes"],
        "stdout": report.stdout,
        "stderr": _stderr(report),
        "seed": report.seed,
        "seconds": {"queue": 0.0, **data["seconds"]},
        "sandbox_level": report.sandbox_level,
    }
    return json.dumps(found, ensure_ascii=False)


def _stderr(report: Report) -> str:
    """Where Python itself would say why it cannot run a file, when nothing ran that could have written there."""
    return report.message if report.verdict is Verdict.INVALID_SUBMISSION and not report.stderr else report.stderr


def _table(report: Report, file: Path) -> Iterator[str]:
    yield f"{file}: {report.verdict}, {report.score} of {report.max_score} points (seed {report.seed})"
    yield f"  {report.message}"
    for mistake in report.mistakes:
        yield f"  Known mistake {mistake.slug} ({mistake.evidence}): {mistake.hint}"
    if report.verdict is Verdict.INVALID_SUBMISSION:  # no test could begin
        return
    width = max((len(test.outcome) for test in report.tests), default=0)
    for test in report.tests:
        yield f"  {test.outcome:<{width}}  {test.points:>3}  {test.seconds:>6.3f} s  {test.name}: {test.title}"
        for line in test.message.splitlines():
            yield f"  {'':<{width}}  {'':>3}  {'':>8}  {line}"


def _plain(lines: Iterable[str]) -> str:
    """One text, in which what learners wrote can neither move the cursor nor begin a line of its own."""
    return "\n".join(
        "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in line)
        for line in lines
    )
