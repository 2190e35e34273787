from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from courses.content_loading import CONTENT, BadContent, load


class Command(BaseCommand):
    help = "Load the authored courses. What exists is kept, so that edits made in the admin survive."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("course", nargs="*", help="folders under courses/content; all of them if none is named")
        parser.add_argument("--overwrite", action="store_true", help="replace texts in the database by those in files")

    def handle(self, *, course: list[str], overwrite: bool, **options: Any) -> None:
        folders = {path.parent.name: path.parent for path in sorted(CONTENT.glob("*/course.toml"))}
        for name in course or folders:
            if name not in folders:
                raise CommandError(f"There is no course “{name}”. There is: {', '.join(folders)}.")
            try:
                loaded = load(folder=folders[name], overwrite=overwrite)
            except BadContent as error:
                raise CommandError(str(error)) from None
            self.stdout.write(f"{loaded.title}: loaded.")
