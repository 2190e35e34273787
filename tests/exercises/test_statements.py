"""Every sentence of a statement is held: a wrong program breaks it and nothing else, or it asks for nothing.

The pairs are in wrong/<slug>/sentences.toml, one `[[sentence]]` each, with `text` as prompt.md has it and either
`broken_by`, the programs that are rejected for it, or `asks_nothing = true`. A program is the stem of a file beside the
pairs (tests/programs has each of them rejected), or a known mistake, "mistakes/<its slug>".
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.exercises.local import HERE, SLUGS, package, solutions

GAP = "\0"  # stands where a sentence was taken out, so that what was apart does not become one


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    broken_by: tuple[str, ...] = ()
    asks_nothing: bool = False


def pairs_of(slug: str) -> Path:
    return HERE / "wrong" / slug / "sentences.toml"


def sentences(slug: str) -> list[Sentence]:
    found = tomllib.loads(pairs_of(slug).read_text())
    assert found.keys() == {"sentence"}
    return [Sentence(**{**facts, "broken_by": tuple(facts.get("broken_by", ()))}) for facts in found["sentence"]]


def prose(markdown: str) -> str:
    """The words of a statement in one line, without code, headings, displayed formulas, and the marks of tables and
    lists."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    text = re.sub(r"^#+ .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\|[ |:-]+\|$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\|.*\|$", lambda row: row.group().replace("|", " "), text, flags=re.MULTILINE)
    text = re.sub(r"^ *(?:-|\d+\.) ", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


def programs(slug: str) -> set[str]:
    wrong = {path.stem for path in solutions("wrong", slug)}
    return wrong | {f"mistakes/{mistake.slug}" for mistake in package(slug).mistakes}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_sentence_of_a_statement_is_paired(slug: str) -> None:
    left = prose(package(slug).prompt)
    # The longest first: a short sentence may occur in a longer one.
    for sentence in sorted(sentences(slug), key=lambda sentence: -len(sentence.text)):
        text = prose(sentence.text)
        assert text, f"no words in {sentence.text!r}"
        assert text in left, f"not, or not once more, in prompt.md: {sentence.text}"
        left = left.replace(text, GAP, 1)
    assert [part.strip() for part in left.split(GAP) if part.strip()] == []


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sentence_is_broken_by_programs_that_exist_or_asks_nothing(slug: str) -> None:
    known = programs(slug)
    for sentence in sentences(slug):
        assert bool(sentence.broken_by) != sentence.asks_nothing, sentence.text
        assert set(sentence.broken_by) <= known, sentence.text


@pytest.mark.parametrize("slug", SLUGS)
def test_a_wrong_program_says_what_is_wrong(slug: str) -> None:
    sentences(slug)
    silent = [path.name for path in solutions("wrong", slug) if not path.read_text().startswith("# ")]
    assert silent == []


def test_prose_is_what_a_reader_reads() -> None:
    markdown = """# Title

One `x`
and $d$:

$$
d
$$

1. Two.
- Three.

```python
no
```

| a | |
| --- | --- |
| b | |
"""
    assert prose(markdown) == "One `x` and $d$: Two. Three. a b"
