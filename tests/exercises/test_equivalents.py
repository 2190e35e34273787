from __future__ import annotations

import pytest

from exercises.equivalents import Equivalent, parse


def test_both_tables_are_read_in_order() -> None:
    text = '[proved]\n"b-1" = "By symmetry."\n[measured]\n"a-1" = "Same axis."\n'
    assert parse(text) == (
        (Equivalent("a-1", "Same axis.", proved=False), Equivalent("b-1", "By symmetry.", proved=True)),
        [],
    )


@pytest.mark.parametrize(
    "text, told",
    [
        ("[measured", "is not TOML"),
        ('[alike]\n"a" = "b"', "unknown table “alike”"),
        ('[measured]\n"a" = " "', "[measured] must map ids of mutants to reasons"),
        ("proved = 1", "[proved] must map ids of mutants to reasons"),
        ('[measured]\n"a" = "x"\n[proved]\n"a" = "y"', "has a in both tables"),
    ],
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    problems = parse(text)[1]
    assert len(problems) == 1
    assert told in problems[0]
