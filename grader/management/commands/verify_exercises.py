"""Prove that exercises' tests are good; store the proofs and publish what they hold for, when asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.ladder import in_learning_order
from exercises.models import Exercise
from exercises.package import Package, PackageError, by_slug, slugs
from exercises.services import load_package, publish, store_proof
from grader.proof_memory import ProofMemory
from grader.proof_record import BadRecord, ProofRecord
from grader.proving import FAST, FULL, Extent, ProofReport, prove
from grader.proving.wording import not_read, table
from grader.sandbox import PlatformFault, SandboxUnavailable
from grader.side_by_side import side_by_side

MEMORY = settings.BASE_DIR / "build" / "proven.json"


class Command(BaseCommand):
    help = "Prove that an exercise's tests accept what is right, and reject starter, mistakes and mutants."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="default: every packaged exercise")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--fast", action="store_true", help="few seeds, and no mutants")
        parser.add_argument(
            "--changed",
            action="store_true",
            help="only what neither exercises/proofs.json, which ships, nor this machine's build/proven.json proves",
        )
        parser.add_argument("--publish", action="store_true", help="load, store the proofs, publish what they hold for")
        parser.add_argument(
            "--unpublished", action="store_true", help="only exercises of which learners see nothing yet"
        )
        parser.add_argument("--write-record", action="store_true", help="make the shipped record anew")
        parser.add_argument("--check-record", action="store_true", help="fail if the shipped record says otherwise")

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse_what_does_not_fit(options)
        record = _read_record() if options["changed"] or options["check_record"] else ProofRecord()
        chosen = options["slugs"] or slugs()
        if options["unpublished"]:
            visible = set(Exercise.objects.exclude(published=None).values_list("slug", flat=True))
            chosen = [slug for slug in chosen if slug not in visible]
        extent = FAST if options["fast"] else FULL
        packages, bad = self._read(chosen, as_json=options["json"])
        memory = ProofMemory(MEMORY)
        known = _known(packages, record, memory, extent) if options["changed"] else {}
        good = list(known.values())
        if options["publish"]:
            for package in packages:
                if package.slug in known:
                    _store(package, known[package.slug])
        try:
            for package, report in proven([one for one in packages if one.slug not in known], extent):
                self._tell(report, as_json=options["json"])
                if report.ok:
                    good.append(report.to_json())
                else:
                    bad.append(package.slug)
                if options["publish"]:
                    _store(package, report.to_json())
        except (PlatformFault, SandboxUnavailable) as error:
            raise CommandError(f"Nothing more is proven, grading failed on our side: {error}", returncode=3) from None
        finally:
            memory.add(report for report in good if "shipped" not in report)
        if bad:
            raise CommandError(f"Not proven: {', '.join(bad)}.")
        if options["write_record"]:
            ProofRecord.of(good).write()
        if options["check_record"]:
            _compare(record, good)

    def _read(self, chosen: list[str], *, as_json: bool) -> tuple[list[Package], list[str]]:
        """The packages in learning order, and the slugs of those that are none."""
        packages: list[Package] = []
        unread: list[str] = []
        for slug in chosen:
            try:
                packages.append(by_slug(slug))
            except PackageError as error:
                unread.append(slug)
                self._tell(not_read(slug, error.problems), as_json=as_json)
        try:
            return in_learning_order(packages), unread
        except PackageError as error:
            raise CommandError(str(error)) from None

    def _tell(self, report: ProofReport, *, as_json: bool) -> None:
        self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False) if as_json else table(report))
        self.stdout.flush()


def proven(packages: Sequence[Package], extent: Extent) -> Iterator[tuple[Package, ProofReport]]:
    """Prove all of them, in the order given."""
    return side_by_side(packages, lambda package, sandbox: prove(package, sandbox, extent=extent))


def _refuse_what_does_not_fit(options: dict[str, Any]) -> None:
    if options["fast"] and options["publish"]:
        raise CommandError("Learners see only what is proven in full: leave out --fast, or --publish.", returncode=2)
    if options["write_record"] or options["check_record"]:
        if options["slugs"] or options["fast"] or options["unpublished"]:
            raise CommandError("The record holds every exercise, proven in full: name none, and leave out --fast.")
        if options["check_record"] and options["changed"]:
            raise CommandError("To check the record is not to believe it: leave out --changed.", returncode=2)


def _known(
    packages: Sequence[Package], record: ProofRecord, memory: ProofMemory, extent: Extent
) -> dict[str, dict[str, Any]]:
    """The reports on what need not be proven again, by slug."""
    reports = {package.slug: record.recall(package) or memory.recall(package, extent) for package in packages}
    return {slug: report for slug, report in reports.items() if report is not None}


def _read_record() -> ProofRecord:
    try:
        return ProofRecord.read()
    except BadRecord as error:
        raise CommandError(str(error)) from None


def _compare(record: ProofRecord, reports: Sequence[dict[str, Any]]) -> None:
    if differences := record.differences(ProofRecord.of(reports)):
        said = "All are proven, but the shipped record, exercises/proofs.json, says otherwise:"
        todo = "Make it anew with `manage.py verify_exercises --write-record`, and commit it."
        raise CommandError("\n".join([said, *differences, todo]))


def _store(package: Package, report: dict[str, Any]) -> None:
    revision = load_package(package=package)
    store_proof(digest=package.digest, extent=report["extent"], ok=report["ok"], report=report)
    if report["ok"]:
        publish(revision=revision)
