"""Prove that exercises' tests are good; store the proofs and publish what they hold for, when asked."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.models import Exercise
from exercises.package import Package, PackageError, by_slug, slugs
from exercises.services import load_package, publish, store_proof
from grader.proving import FAST_SEEDS, SEEDS, ProofReport, prove
from grader.sandbox import PlatformFault, Sandbox, SandboxUnavailable


class Command(BaseCommand):
    help = "Prove that the reference passes, the starter fails and every known mistake is caught and named."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="default: every packaged exercise")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--fast", action="store_true", help=f"one seed instead of {len(SEEDS)}")
        parser.add_argument("--publish", action="store_true", help="load, store the proofs, publish what they hold for")
        parser.add_argument(
            "--unpublished", action="store_true", help="only exercises of which learners see nothing yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = options["slugs"] or slugs()
        if options["unpublished"]:
            visible = set(Exercise.objects.exclude(published=None).values_list("slug", flat=True))
            chosen = [slug for slug in chosen if slug not in visible]
        if not chosen:
            return
        seeds = FAST_SEEDS if options["fast"] else SEEDS
        try:
            with Sandbox(minimum_level=settings.GRADUS_LEAST_SANDBOX_LEVEL) as sandbox:
                bad = [slug for slug in chosen if not self._verify(slug, sandbox, seeds, **options)]
        except (PlatformFault, SandboxUnavailable) as error:
            raise CommandError(f"Nothing more is proven, grading failed on our side: {error}", returncode=3) from None
        if bad:
            raise CommandError(f"Not proven: {', '.join(bad)}.")

    def _verify(self, slug: str, sandbox: Sandbox, seeds: tuple[int, ...], **options: Any) -> bool:
        try:
            package = by_slug(slug)
        except PackageError as error:
            self._tell(slug, 0, error.problems, as_json=options["json"])
            return False
        report = prove(package, sandbox, seeds=seeds)
        self._tell(slug, report.mistakes, report.problems, as_json=options["json"])
        if options["publish"]:
            _store(package, report)
        return report.ok

    def _tell(self, slug: str, mistakes: int, problems: tuple[str, ...], *, as_json: bool) -> None:
        if as_json:
            found = {"slug": slug, "ok": not problems, "mistakes": mistakes, "problems": list(problems)}
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        self.stdout.write(f"{'ok ' if not problems else 'BAD'}  {slug}: {mistakes} known mistakes caught and named")
        for problem in problems:
            self.stdout.write(f"     {problem}")


def _store(package: Package, report: ProofReport) -> None:
    revision = load_package(package=package)
    store_proof(digest=package.digest, ok=report.ok, report=report.to_json())
    if report.ok:
        publish(revision=revision)
