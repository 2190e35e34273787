"""Begin an exercise: a folder that verifies as it is, to be changed file by file."""

from __future__ import annotations

import keyword
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises import package
from exercises.manifest import SLUG
from exercises.skeleton import skeleton_files


class Command(BaseCommand):
    help = "Write a small working exercise to exercises/packages/SLUG, for you to change into yours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="lower-case words joined by hyphens, as in layer-norm")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        if not SLUG.match(slug) or len(slug) > 50:
            raise CommandError(f"“{slug}” is no slug. Join lower-case letters and digits by single hyphens.")
        name = slug.replace("-", "_")
        if not name.isidentifier() or keyword.iskeyword(name):
            raise CommandError(f"`{name}` cannot be the name of a function. Begin the slug with a letter.")
        folder = package.PACKAGES / slug
        if folder.exists():
            raise CommandError(f"There is an exercise {slug} already. Choose another slug.")
        for path, content in skeleton_files(slug).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        self.stdout.write(f"Wrote exercises/packages/{slug}. It verifies as it is:")
        self.stdout.write(f"  .venv/bin/python manage.py verify_exercises {slug}")
        self.stdout.write("Now change its files, as docs/authoring.md tells.")
