"""`manage.py set_up`: bring the database up to this version, and load the course and its exercises."""

import secrets
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from grader.proof_record import BadRecord
from grader.publishing import publish_recorded
from grader.sandbox import PlatformFault, SandboxUnavailable

KEPT_BACKUPS = 5


class Command(BaseCommand):
    help = "Migrates (after a copy of an SQLite file), and loads the exercises and the course. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_other_encodings()
        keep_local_key()
        if migrations_are_missing():
            copy = back_up()
            if copy:
                self.stdout.write(f"The database as it was is in {copy}")
            call_command("migrate", interactive=False, verbosity=1)
        call_command("load_exercises", stdout=self.stdout, stderr=self.stderr)
        try:
            published = publish_recorded(self.stderr.write)
            if published:
                self.stdout.write(f"Proven, accepted on this machine, and shown now: {', '.join(published)}.")
        except (BadRecord, PlatformFault, SandboxUnavailable) as error:
            # The rest of the site is of use without them, and says itself what is not there yet.
            self.stderr.write(f"Some exercises are not shown, because their references could not be judged: {error}")
        call_command("load_course", stdout=self.stdout, stderr=self.stderr)


def keep_local_key() -> None:
    """Sessions outlive a restart, and no two installations share a key."""
    file = settings.VAR / "secret-key"
    if settings.LOCAL and not file.exists():
        settings.VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(50), "utf-8")


def refuse_other_encodings() -> None:
    """PostgreSQL keeps text in the encoding that a database was made with; only UTF-8 holds what people write."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        name = connection.settings_dict["NAME"]
        raise CommandError(
            f"The database {name} is in the encoding {encoding}, which cannot hold every text. Make it anew in UTF-8, "
            f"for example with `createdb --encoding=UTF8 --template=template0 {name}`, and run set_up again."
        )


def migrations_are_missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def back_up() -> Path | None:
    """Copy an SQLite database that holds something, by SQLite's own means, and keep the last few copies."""
    if connection.vendor != "sqlite" or not connection.introspection.table_names():
        return None
    source = Path(str(connection.settings_dict["NAME"]))
    folder = settings.VAR / "backups"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target: Path = folder / f"{source.stem}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.sqlite3"
    with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
        original.backup(copy)
    for old in sorted(folder.glob(f"{source.stem}-*.sqlite3"))[:-KEPT_BACKUPS]:
        old.unlink()
    return target
