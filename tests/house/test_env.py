"""Environment variables are read strictly: a bad value is refused with one sentence that names it."""

from pathlib import Path

import pytest

from config import env
from config.env import BadSetting, Environment


@pytest.mark.parametrize("value, meant", [("1", True), ("Yes", True), ("on", True), ("0", False), ("", False)])
def test_a_flag_is_on_or_off(value: str, meant: bool) -> None:
    assert Environment({"DEBUG": value}).flag("DEBUG", default=not meant) is meant


def test_what_is_neither_on_nor_off_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"^DEBUG must be 1 or 0, but it is 'maybe'\.$"):
        Environment({"DEBUG": "maybe"}).flag("DEBUG", default=False)


@pytest.mark.parametrize("value", ["0", "65", "two", "1.5", "1_0", "9" * 30])
def test_a_number_out_of_bounds_is_refused(value: str) -> None:
    with pytest.raises(BadSetting, match="WORKERS must be a whole number from 1 to 64"):
        Environment({"WORKERS": value}).number("WORKERS", 2, least=1, most=64)


def test_an_absent_number_is_the_default() -> None:
    assert Environment({}).number("WORKERS", 2, least=1, most=64) == 2


def test_a_choice_is_one_of_those_offered() -> None:
    with pytest.raises(BadSetting, match="LEVEL must be one of A, B, but it is 'C'"):
        Environment({"LEVEL": "C"}).choice("LEVEL", "A", among=("A", "B"))


@pytest.mark.parametrize("value", ["Europe/Berlin", "UTC", "America/New_York"])
def test_a_time_zone_is_one_that_exists(value: str) -> None:
    assert Environment({"ZONE": value}).time_zone("ZONE", "UTC") == value


@pytest.mark.parametrize("value", ["Berlin", "CEST", "+02:00", "../UTC", "europe/berlin"])
def test_what_is_no_time_zone_is_refused(value: str) -> None:
    with pytest.raises(BadSetting, match="^ZONE must name a time zone, such as Europe/Berlin or UTC, but it is"):
        Environment({"ZONE": value}).time_zone("ZONE", "UTC")


def test_an_absent_time_zone_is_the_default() -> None:
    assert Environment({}).time_zone("ZONE", "UTC") == "UTC"


def test_a_relative_folder_is_refused() -> None:
    with pytest.raises(BadSetting, match="must be an absolute path"):
        Environment({"GRADUS_VAR": "var"}).folder("GRADUS_VAR", Path("/tmp"))


def test_a_secret_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("from a file\n")
    assert Environment({"KEY_FILE": str(file)}).secret("KEY") == "from a file"
    assert Environment({"KEY": "plain"}).secret("KEY") == "plain"
    assert Environment({}).secret("KEY") is None


def test_a_secret_given_twice_or_unreadable_or_empty_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(BadSetting, match="Set KEY or KEY_FILE, not both"):
        Environment({"KEY": "a", "KEY_FILE": "b"}).secret("KEY")
    with pytest.raises(BadSetting, match="cannot be read"):
        Environment({"KEY_FILE": str(tmp_path / "missing")}).secret("KEY")
    with pytest.raises(BadSetting, match="is empty"):
        Environment({"KEY_FILE": str(empty)}).secret("KEY")


def test_sqlite_addresses() -> None:
    assert env.database("sqlite:////data/my%20file.db")["NAME"] == "/data/my file.db"
    assert env.database("sqlite:///file.db")["NAME"] == str(Path.cwd() / "file.db")


def test_postgres_addresses() -> None:
    found = env.database("postgres://me:p%40ss@db.example:5433/gradus?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"]) == ("me", "p@ss", "db.example", "5433")
    assert (found["NAME"], found["OPTIONS"]) == ("gradus", {"sslmode": "require"})
    assert env.database("postgres://me@/gradus?host=/run/postgresql")["HOST"] == "/run/postgresql"


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me@host/name",
        "gradus.db",
        "sqlite://file.db",
        "sqlite:///",
        "postgres://me@host",
        "postgres://me@host/a/b",
        "postgres://me@host:port/name",
        "postgres://me@host/name?sslmod=require",
    ],
)
def test_other_database_addresses_are_refused(url: str) -> None:
    with pytest.raises(BadSetting, match="^DATABASE_URL "):
        env.database(url)


def test_redis_addresses() -> None:
    assert env.redis("rediss://:secret@host:6380/2") == env.Redis(*["rediss://:secret@host:6380/2"] * 2)
    assert env.redis("unix:///run/r.sock") == env.Redis(
        celery="redis+socket:///run/r.sock", client="unix:///run/r.sock"
    )


@pytest.mark.parametrize(
    "url",
    ["amqp://host", "redis://", "redis://host:port", "redis://host/name", "unix://r.sock", "unix:///" + "a" * 101],
)
def test_other_redis_addresses_are_refused(url: str) -> None:
    with pytest.raises(BadSetting):
        env.redis(url)


def test_a_deep_folder_gets_a_short_socket_path_of_its_own() -> None:
    deep, deeper = Path("/" + "a" * 120), Path("/" + "a" * 121)
    assert env.socket_path(Path("/srv/var")) == Path("/srv/var/broker.sock")
    assert env.socket_path(deep) == env.socket_path(deep) != env.socket_path(deeper)
    assert len(str(env.socket_path(deep))) <= env.MAX_SOCKET_PATH
