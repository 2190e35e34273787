"""The engine's digest names every module that has a part in a proof."""

from __future__ import annotations

from pathlib import Path

import grimp

from exercises.judging import FILES, digest_of_code, engine_digest

BASE = Path(__file__).resolve().parents[2]
BEGINNINGS = (
    "grader.proving",
    "grader.judge",
    "grader.trials",
    "grader.sandbox",
    "grader.checker",
    "exercises.testkit",
)


def module_file(module: str) -> Path:
    path = BASE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def is_named(module: str) -> bool:
    return any(module_file(module).is_relative_to(BASE / name) for name in FILES)


def test_whatever_judging_and_proving_import_of_ours_is_in_it() -> None:
    graph = grimp.build_graph("grader", "exercises", "courses", "config")
    begin = {module for module in graph.modules if module.startswith(BEGINNINGS)}
    reached = begin.union(*(graph.find_upstream_modules(module) for module in begin))
    # Packages' own `__init__.py`, which are empty, aside.
    assert sorted(module for module in reached if not is_named(module) and module_file(module).stat().st_size) == []


def test_every_name_is_there() -> None:
    assert [name for name in FILES if not (BASE / name).exists()] == []


def test_a_file_that_moves_changes_it(tmp_path: Path) -> None:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("") if name.endswith(".py") else (tmp_path / name).mkdir()
    empty = digest_of_code(tmp_path)
    (tmp_path / "grader/checker/one.py").write_text("x = 1\n")
    one = digest_of_code(tmp_path)
    (tmp_path / "grader/checker/one.py").rename(tmp_path / "grader/checker/other.py")
    assert len({empty, one, digest_of_code(tmp_path)}) == 3


def test_it_is_the_digest_of_the_code_that_runs() -> None:
    assert engine_digest() == digest_of_code(BASE)
