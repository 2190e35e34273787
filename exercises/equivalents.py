"""equivalents.toml: mutants of the reference that are right answers, too, each with the reason.

[measured]    # answers every call of the tests as the reference does, to 1e-12; verification compares them
"constant-10-30-31-sign" = "Columns modulo −2 are 0 or −1: still zero for even columns alone."

[proved]      # differs by more than that, or cannot be compared, and is right nevertheless
"arithmetic-9-13-56-swapped" = "…"

[never]       # a condition that the statement rules out, for all entries or for one: no test can meet it
"float64" = "Layers hold float32 weights."
"many-axes-attend_bag" = "…"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

FILENAME = "equivalents.toml"
_TABLES = ("measured", "proved", "never")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant, by its id, that no test should reject. `proved`: by the reason alone, for it cannot be measured.

    `never`: instead of one mutant's, a condition's name, with or without an entry's.
    """

    mutant: str
    reason: str
    proved: bool
    never: bool = False

    def covers(self, mutant: str) -> bool:
        if self.never:
            return f"{mutant}-".startswith(f"behind-{self.mutant}-")
        return mutant == self.mutant


def parse(text: str) -> tuple[tuple[Equivalent, ...], list[str]]:
    """What is recorded, in order, and problems as full sentences."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return (), [f"{FILENAME} is not TOML: {error}. Correct it."]
    problems = [
        f"{FILENAME} has an unknown table “{name}”. There are [measured], [proved] and [never]."
        for name in tables
        if name not in _TABLES
    ]
    found: list[Equivalent] = []
    for name in _TABLES:
        table = tables.get(name, {})
        if type(table) is not dict or not all(type(why) is str and why.strip() for why in table.values()):
            problems.append(f"In {FILENAME}, [{name}] must map ids of mutants to reasons.")
            continue
        found += [Equivalent(mutant, why, name != "measured", name == "never") for mutant, why in table.items()]
    ids = [one.mutant for one in found]
    problems += [
        f"{FILENAME} has {one} in both tables. Keep one." for one in sorted({i for i in ids if ids.count(i) > 1})
    ]
    return tuple(found), problems
