"""exercise.toml: which keys there are, of which kind, and what to say when one is wrong."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exercises.families import FAMILIES

FILENAME = "exercise.toml"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
FLOAT = re.compile(r"float(32|64)\Z")
FORBIDDEN = re.compile(rf"([A-Za-z_]\w*(\.[A-Za-z_]\w*)+|{'|'.join(FAMILIES)})\Z")


@dataclass(slots=True)
class Facts:
    """The checked content: `plain` holds the keys of a Spec that are no tables of their own."""

    plain: dict[str, Any] = field(default_factory=dict)
    entries: list[dict[str, Any]] = field(default_factory=list)
    limits: dict[str, Any] = field(default_factory=dict)
    feedback: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Key:
    """One key: `holds` accepts a value, `wanted` finishes the sentence “… must be”."""

    holds: Callable[[Any], bool]
    wanted: str
    required: bool = False


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _text(required: bool = False) -> _Key:
    return _Key(lambda value: type(value) is str and bool(value.strip()), "a text", required)


def _choice(*options: str) -> _Key:
    return _Key(lambda value: value in options, " or ".join(f"“{option}”" for option in options), required=True)


def _number(low: float, high: float, *, whole: bool = False, required: bool = False) -> _Key:
    return _Key(
        lambda value: (type(value) is int if whole else _is_number(value)) and low <= value <= high,
        f"a {'whole ' if whole else ''}number from {low:g} to {high:g}",
        required,
    )


def _texts(pattern: re.Pattern[str] | None, wanted: str) -> _Key:
    def holds(value: Any) -> bool:
        return type(value) is list and all(
            type(item) is str and item.strip() and (pattern is None or pattern.match(item)) for item in value
        )

    return _Key(holds, wanted)


def _flag() -> _Key:
    return _Key(lambda value: type(value) is bool, "true or false")


PLAIN = {
    "slug": _Key(
        lambda value: type(value) is str and SLUG.match(value) is not None and len(value) <= 50,
        "at most 50 lower-case letters and digits, joined by single hyphens",
        required=True,
    ),
    "title": _text(required=True),
    "framework": _choice("numpy", "torch"),
    "level": _choice("beginner", "intermediate", "advanced"),
    "minutes": _number(1, 600, whole=True, required=True),
    "rtol": _number(0, 1),
    "atol": _number(0, 1),
    "forbidden": _texts(
        FORBIDDEN,
        "a list of dotted names such as “torch.nn.functional.softmax”, "
        f"and of families of functions: {', '.join(FAMILIES)}",
    ),
    "sources": _texts(None, "a list of texts"),
    "after": _texts(SLUG, "a list of slugs, the exercises that a learner should have done before"),
    "dtypes": _texts(FLOAT, "a list of “float32” and “float64”, the dtypes that results may have, whatever is given"),
}
ENTRY = {"name": _text(required=True), "kind": _choice("function", "class"), "signature": _text(required=True)}
LIMITS = {
    "cpu_seconds": _number(0.05, 60),
    "total_cpu_seconds": _number(0.05, 600),
    "memory_mb": _number(16, 4096, whole=True),
    "output_kb": _number(1, 4096, whole=True),
    "reply_mb": _number(0.01, 256),
}
FEEDBACK = {"hidden_message": _flag(), "hidden_exception": _flag(), "hidden_output": _flag()}


def parse(text: str) -> tuple[Facts, list[str]]:
    """Facts and problems; with problems, the facts are not to be used."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Facts(), [f"exercise.toml is not TOML: {error}. Correct it."]
    entries, limits, feedback = table.pop("entry", []), table.pop("limits", {}), table.pop("feedback", {})
    problems = _table_problems(table, PLAIN, "exercise.toml", extra=("entry", "limits", "feedback"))
    for name, part, keys in (("limits", limits, LIMITS), ("feedback", feedback, FEEDBACK)):
        problems += _table_problems(part, keys, f"[{name}] in exercise.toml")
    problems += _entry_problems(entries)
    if not problems and limits.get("total_cpu_seconds", 5.0) < limits.get("cpu_seconds", 1.0):
        problems.append("In [limits], total_cpu_seconds is less than cpu_seconds of one test. Raise it.")
    if not problems:
        problems += _sense_problems(table, entries)
    if problems:
        return Facts(), problems
    plain = {key: tuple(value) if type(value) is list else value for key, value in table.items()}
    return Facts(plain, entries, limits, feedback), []


def parameters(signature: str) -> list[str]:
    """Parameter names of `name(a, b=1)`. Raise `SyntaxError` unless it reads as a call signature."""
    definition = ast.parse(f"def {signature}: ...").body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise SyntaxError("not a signature")
    return [argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)]


def _sense_problems(table: Mapping[str, Any], entries: list[Mapping[str, str]]) -> list[str]:
    """What is well formed and cannot be meant."""
    problems = []
    if table["slug"] in table.get("after", ()):
        problems.append("In exercise.toml, “after” names the exercise itself. Name those before it.")
    if table.get("dtypes") and any(entry["kind"] == "class" for entry in entries):
        problems.append("exercise.toml has “dtypes” and a class. State its dtype in prompt.md, and remove “dtypes”.")
    return problems


def _entry_problems(entries: Any) -> list[str]:
    if type(entries) is not list or not entries:
        return ["exercise.toml lists no [[entry]]. Say which function or class the learner writes."]
    problems: list[str] = []
    for number, entry in enumerate(entries, start=1):
        found = _table_problems(entry, ENTRY, f"[[entry]] number {number} in exercise.toml")
        problems += found or _signature_problems(entry)
    names = [entry.get("name") for entry in entries if type(entry) is dict]
    if len(names) != len(set(names)):
        problems.append("Two [[entry]] tables in exercise.toml have one name. Name each entry once.")
    return problems


def _signature_problems(entry: Mapping[str, str]) -> list[str]:
    name, signature = entry["name"], entry["signature"]
    try:
        parameters(signature)
        fits = name.isidentifier() and signature.startswith(f"{name}(")
    except (SyntaxError, ValueError):
        fits = False
    if fits:
        return []
    return [f"The signature “{signature}” of the entry “{name}” cannot be read. Write it as `name(first, second)`."]


def _table_problems(table: Any, keys: Mapping[str, _Key], where: str, extra: tuple[str, ...] = ()) -> list[str]:
    if type(table) is not dict:
        return [f"{where} must be a table of keys and values."]
    problems = [
        f"{where} has an unknown key “{key}”. Remove it, or use one of: {', '.join(sorted({*keys, *extra}))}."
        for key in table
        if key not in keys
    ]
    for name, key in keys.items():
        if name not in table:
            if key.required:
                problems.append(f"{where} lacks “{name}”. Add it: it must be {key.wanted}.")
        elif not key.holds(table[name]):
            problems.append(f"In {where}, “{name}” must be {key.wanted}.")
    return problems
