"""Prove that exercises' tests are good; store the proofs and publish what they hold for, when asked."""

from __future__ import annotations

import json
import os
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.ladder import in_learning_order
from exercises.models import Exercise
from exercises.package import Package, PackageError, by_slug, slugs
from exercises.services import load_package, publish, store_proof
from grader.proving import FAST, FULL, Extent, ProofReport, prove
from grader.proving.memory import ProofMemory
from grader.proving.wording import not_read, table
from grader.sandbox import PlatformFault, Sandbox, SandboxUnavailable

MEMORY = settings.BASE_DIR / "build" / "proven.json"


class Command(BaseCommand):
    help = "Prove that an exercise's tests accept what is right, and reject starter, mistakes and mutants."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="default: every packaged exercise")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")
        parser.add_argument("--fast", action="store_true", help="few seeds, and no mutants")
        parser.add_argument(
            "--changed", action="store_true", help="only what was not proven here before (build/proven.json)"
        )
        parser.add_argument("--publish", action="store_true", help="load, store the proofs, publish what they hold for")
        parser.add_argument(
            "--unpublished", action="store_true", help="only exercises of which learners see nothing yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = options["slugs"] or slugs()
        if options["unpublished"]:
            visible = set(Exercise.objects.exclude(published=None).values_list("slug", flat=True))
            chosen = [slug for slug in chosen if slug not in visible]
        packages, bad = self._read(chosen, as_json=options["json"])
        memory = ProofMemory(MEMORY)
        if options["changed"]:
            packages = list(_changed(packages, memory, publish=options["publish"]))
        good: list[tuple[Package, dict[str, Any]]] = []
        try:
            for package, report in proven(packages, FAST if options["fast"] else FULL):
                self._tell(report, as_json=options["json"])
                if report.ok:
                    good.append((package, report.to_json()))
                else:
                    bad.append(package.slug)
                if options["publish"]:
                    _store(package, report.to_json())
        except (PlatformFault, SandboxUnavailable) as error:
            raise CommandError(f"Nothing more is proven, grading failed on our side: {error}", returncode=3) from None
        finally:
            memory.add(good)
        if bad:
            raise CommandError(f"Not proven: {', '.join(bad)}.")

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


def proven(packages: list[Package], extent: Extent) -> Iterator[tuple[Package, ProofReport]]:
    """Prove all, as many at once as there are processors, each in a sandbox of its own; in the order given."""
    if not packages:
        return
    free: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()

    def one(package: Package) -> ProofReport:
        sandbox = free.get()
        try:
            return prove(package, sandbox, extent=extent)
        finally:
            free.put(sandbox)

    with ExitStack() as stack:
        at_once = min(len(packages), os.cpu_count() or 1)
        for _ in range(at_once):  # here, on the main thread: a zygote dies with the thread that started it
            free.put(stack.enter_context(Sandbox(minimum_level=settings.GRADUS_LEAST_SANDBOX_LEVEL)))
        executor = stack.enter_context(ThreadPoolExecutor(at_once))
        stack.callback(executor.shutdown, cancel_futures=True)
        yield from zip(packages, executor.map(one, packages), strict=True)


def _changed(packages: list[Package], memory: ProofMemory, *, publish: bool) -> Iterator[Package]:
    """Those that were not proven here before; of the others, the old proof serves."""
    for package in packages:
        remembered = memory.recall(package)
        if remembered is None:
            yield package
        elif publish:
            _store(package, remembered)


def _store(package: Package, report: dict[str, Any]) -> None:
    revision = load_package(package=package)
    store_proof(digest=package.digest, ok=report["ok"], report=report)
    if report["ok"]:
        publish(revision=revision)
