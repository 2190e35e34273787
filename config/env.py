"""Strict readers of environment variables: a bad value is refused with one sentence, never guessed at.

No Django in here, so that scripts can read the same variables in the same way.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import available_timezones

MAX_SOCKET_PATH = 100
"""Bytes. Linux takes 107; the rest is room for the names of temporary files beside the socket."""

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})


class BadSetting(ValueError):
    """A variable holds what cannot be used; the message is one sentence for the person who set it."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The variables of one process (or, in tests, a plain dictionary)."""

    variables: Mapping[str, str]

    def text(self, name: str, default: str = "") -> str:
        return self.variables.get(name, default).strip()

    def flag(self, name: str, *, default: bool) -> bool:
        if name not in self.variables:
            return default
        value = self.variables[name].strip().lower()
        if value in TRUE:
            return True
        if value in FALSE:
            return False
        raise BadSetting(f"{name} must be 1 or 0, but it is {value!r}.")

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        value = self.text(name)
        if not value:
            return default
        if not re.fullmatch(r"[+-]?[0-9]{1,12}", value) or not least <= int(value) <= most:
            raise BadSetting(f"{name} must be a whole number from {least} to {most}, but it is {value!r}.")
        return int(value)

    def choice(self, name: str, default: str, *, among: tuple[str, ...]) -> str:
        value = self.text(name) or default
        if value not in among:
            raise BadSetting(f"{name} must be one of {', '.join(among)}, but it is {value!r}.")
        return value

    def time_zone(self, name: str, default: str) -> str:
        value = self.text(name) or default
        if value not in available_timezones():
            raise BadSetting(f"{name} must name a time zone, such as Europe/Berlin or UTC, but it is {value!r}.")
        return value

    def words(self, name: str) -> list[str]:
        """A list separated by commas or blanks."""
        return self.text(name).replace(",", " ").split()

    def folder(self, name: str, default: Path) -> Path:
        value = self.text(name)
        if not value:
            return default
        path = Path(value).expanduser()
        if not path.is_absolute():
            raise BadSetting(f"{name} must be an absolute path, but it is {value!r}.")
        return path

    def secret(self, name: str) -> str | None:
        """The value of `name`, or the content of the file that `name`_FILE points at; None when neither is set."""
        value, file = self.text(name), self.text(f"{name}_FILE")
        if value and file:
            raise BadSetting(f"Set {name} or {name}_FILE, not both.")
        if not file:
            return value or None
        try:
            content = Path(file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadSetting(f"{name}_FILE points at {file}, which cannot be read: {error}.") from error
        if not content:
            raise BadSetting(f"{name}_FILE points at {file}, which is empty.")
        return content


def database(url: str) -> dict[str, Any]:
    """One entry of Django's DATABASES from `sqlite:///path` or `postgres://user:password@host:port/name`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        if parts.netloc or len(parts.path) < 2:
            raise BadSetting("DATABASE_URL must give the SQLite file's path after three slashes: sqlite:///file.")
        # sqlite:///file is relative to the current folder, sqlite:////file is absolute.
        return sqlite(Path(unquote(parts.path[1:])).absolute())
    if parts.scheme in ("postgres", "postgresql"):
        return _postgres(url)
    raise BadSetting(f"DATABASE_URL must begin with sqlite:/// or postgres://, but it begins with {parts.scheme!r}.")


def sqlite(path: Path) -> dict[str, Any]:
    """Settings under which several processes may write: 0 of 400 concurrent updates failed, with defaults half did."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL",
        },
    }


def _postgres(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if not name or "/" in name:
        raise BadSetting("DATABASE_URL must end with the database's name: postgres://user:password@host:5432/name.")
    try:
        port = parts.port
    except ValueError as error:
        raise BadSetting("DATABASE_URL has a port that is not a number from 0 to 65535.") from error
    options = dict(parse_qsl(parts.query))
    unknown = sorted(set(options) - {"sslmode", "host"})
    if unknown:
        raise BadSetting(f"DATABASE_URL has the option {unknown[0]!r}; only sslmode and host are understood.")
    # A folder of Unix sockets does not fit into a URL's host, so it may also come as ?host=/folder, as libpq does it.
    host = options.pop("host", "") or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


@dataclass(frozen=True, slots=True)
class Redis:
    """One server's address as its two readers spell it."""

    celery: str
    client: str


def redis(url: str) -> Redis:
    """From `redis://host:port/db`, `rediss://…`, or `unix:///path/to/socket`."""
    parts = urlsplit(url)
    if parts.scheme in ("unix", "redis+socket"):
        if parts.netloc or not parts.path.startswith("/"):
            raise BadSetting("REDIS_URL must give the socket's absolute path: unix:///path/to/socket.")
        return socket(Path(unquote(parts.path)))
    if parts.scheme not in ("redis", "rediss"):
        raise BadSetting(
            f"REDIS_URL must begin with redis://, rediss:// or unix://, but it begins with {parts.scheme!r}."
        )
    try:
        usable = bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        usable = False
    if not usable or not re.fullmatch(r"/?|/[0-9]{1,4}", parts.path):
        raise BadSetting("REDIS_URL must look like redis://:password@host:6379/0.")
    return Redis(celery=url, client=url)


def socket(path: Path) -> Redis:
    if len(os.fsencode(path)) > MAX_SOCKET_PATH:
        raise BadSetting(f"A Unix socket's path may have at most {MAX_SOCKET_PATH} bytes, and {path} is longer.")
    return Redis(celery=f"redis+socket://{path}", client=f"unix://{path}")


def socket_path(var: Path) -> Path:
    """Where the embedded broker listens: in `var`, or, where that path is too long, in a folder named after it."""
    inside = var / "broker.sock"
    if len(os.fsencode(inside)) <= MAX_SOCKET_PATH:
        return inside
    name = hashlib.sha256(os.fsencode(var)).hexdigest()[:16]
    return Path(f"/tmp/gradus-{os.getuid()}-{name}/broker.sock")  # noqa: S108 (the supervisor checks its owner and mode)
