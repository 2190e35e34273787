"""The documents say what is true: the paths, names, commands and variables that they mention exist."""

import ast
import re
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted([BASE / "README.md", *(BASE / "docs").rglob("*.md")])
ARCHITECTURE = (BASE / "docs" / "architecture.md").read_text("utf-8")
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|run\.py)`")
CHANGES = re.findall(r"^\| (.+?) \| (.+?) \|$", ARCHITECTURE.split("## Ten changes")[1], re.MULTILINE)[2:]
MADE_WHEN_IT_RUNS = ("var/", "build/", ".venv/", "mistakes/")


def paths(text: str) -> list[str]:
    return [path for path in PATH.findall(text) if not path.startswith(MADE_WHEN_IT_RUNS)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(BASE)))
def test_every_path_exists(document: Path) -> None:
    assert [path for path in paths(document.read_text("utf-8")) if not (BASE / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(BASE)))
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_ten_changes_are_listed_each_with_a_file() -> None:
    assert len(CHANGES) == 10
    assert [change for change, where in CHANGES if not paths(where)] == []


@pytest.mark.parametrize("change, where", CHANGES, ids=[change for change, _ in CHANGES])
def test_the_name_that_a_change_mentions_is_defined_in_its_file(change: str, where: str) -> None:
    named = re.match(r"`(\w+)` in `(\S+)`", where)
    if named is None:
        assert paths(where)
        return
    name, file = named.groups()
    tree = ast.parse((BASE / file).read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_every_variable_that_is_read_is_documented() -> None:
    """And none that nobody reads."""
    sources = [BASE / "config/settings.py", BASE / "scripts/serve.py", BASE / "run.py"]
    code = "\n".join(source.read_text("utf-8") for source in sources)
    reader = r'(?:ENV|variables)\.\w+\(\s*"([A-Z_]+)"|environ\.get\("([A-Z_]+)"'
    read = {first or second for first, second in re.findall(reader, code)}
    told = set(re.findall(r"^\| `([A-Z_]+)`", (BASE / "docs/settings.md").read_text("utf-8"), re.MULTILINE))
    assert told == read


def test_every_make_target_that_is_mentioned_exists() -> None:
    targets = set(re.findall(r"^([\w ]+):$", (BASE / "Makefile").read_text("utf-8"), re.MULTILINE)[-1].split())
    mentioned = set(re.findall(r"\bmake ([a-z]+)\b(?=[ `\n])", "\n".join(d.read_text("utf-8") for d in DOCUMENTS)))
    assert mentioned - {"or"} <= targets
