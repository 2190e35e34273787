"""Load every exercise folder as a revision; folders that are already loaded change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.models import Revision
from exercises.package import PACKAGES, Package, PackageError, read_folder
from exercises.services import load_package


class Command(BaseCommand):
    help = "Load exercise folders as immutable revisions (drafts until published)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="default: every packaged exercise")

    def handle(self, *args: Any, folders: list[Path], **options: Any) -> None:
        chosen = folders or sorted(path for path in PACKAGES.iterdir() if (path / "exercise.toml").is_file())
        bad = 0
        for folder in chosen:
            try:
                package = read_folder(folder)
            except PackageError as error:
                bad += 1
                for problem in error.problems:
                    self.stderr.write(f"{folder.name}: {problem}")
            else:
                self.stdout.write(self._load(package))
        if bad:
            raise CommandError(f"{bad} of {len(chosen)} folders were not loaded; the sentences above say what to mend.")

    def _load(self, package: Package) -> str:
        known = Revision.objects.filter(exercise__slug=package.slug, digest=package.digest).exists()
        revision = load_package(package=package)
        state = "published" if revision.is_published else "a draft"
        return f"{package.slug}: revision {revision.number}, {'unchanged' if known else 'new'}, {state}"
