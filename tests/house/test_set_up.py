"""`manage.py set_up` copies an SQLite database before it migrates it, and can be repeated."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from scripts.postgres import postgres
from tests.house.test_settings import manage


def migrate_back(var: Path) -> None:
    assert manage("migrate", "sessions", "zero", var=var).returncode == 0


def copies(var: Path) -> list[Path]:
    return sorted((var / "backups").glob("*.sqlite3")) if (var / "backups").exists() else []


def test_a_first_start_makes_the_database_and_a_private_key_and_a_later_one_copies_before_it_migrates(
    tmp_path: Path,
) -> None:
    assert manage("migrate", var=tmp_path).returncode == 0
    result = manage("set_up", var=tmp_path)
    assert result.returncode == 0, result.stderr
    key = tmp_path / "secret-key"
    assert len(key.read_text()) >= 50
    assert key.stat().st_mode & 0o077 == 0
    assert copies(tmp_path) == []

    with closing(sqlite3.connect(tmp_path / "gradus.sqlite3")) as database, database:
        database.execute("CREATE TABLE precious AS SELECT 42 AS answer")
    migrate_back(tmp_path)
    result = manage("set_up", var=tmp_path)
    assert result.returncode == 0, result.stderr
    (copy,) = copies(tmp_path)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT answer FROM precious").fetchone() == (42,)
    assert manage("set_up", var=tmp_path).returncode == 0
    assert copies(tmp_path) == [copy]


def test_a_database_in_another_encoding_than_utf8_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    with postgres() as url:
        folder = url.partition("host=")[2]
        with psycopg.connect(host=folder, user="postgres", dbname="postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE old ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        result = manage("set_up", var=tmp_path, DATABASE_URL=url.replace("/postgres?", "/old?"))
        with psycopg.connect(host=folder, user="postgres", dbname="old") as connection:
            tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert result.returncode == 1
    assert result.stderr.startswith("CommandError: The database old is in the encoding SQL_ASCII, which cannot hold")
    assert "createdb --encoding=UTF8" in result.stderr
    assert tables == (0,)
