"""What the worker tells its zygote: once at the start, then once per job. JSON, small, no secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

CHECKER_MEMORY_MB = 1024
TEMPORARY_MB = 16


@dataclass(frozen=True, slots=True)
class _Message:
    def encode(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def decode(cls, data: bytes | str) -> Self:
        values: Mapping[str, Any] = json.loads(data)
        return cls(**{field.name: values[field.name] for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class Setup(_Message):
    """For the life of a zygote.

    `environment` names the variables it starts with, and no other. `without` names layers to go without, as if the
    machine lacked them. `code` is empty, or (for the benchmark's cold start) the paths of our own modules: then every
    checker and learner is a fresh interpreter instead of a fork.
    """

    learner_uid: int
    checker_uid: int
    canary: str
    environment: tuple[str, ...] | list[str]
    code: str
    join_paths: tuple[str, ...] | list[str]
    events_path: str
    without: tuple[str, ...] | list[str]
    light: bool


@dataclass(frozen=True, slots=True)
class Order(_Message):
    """For one job. `wall_seconds` bounds everything."""

    memory_mb: int
    output_bytes: int
    reply_bytes: int
    cpu_seconds: int
    wall_seconds: float
