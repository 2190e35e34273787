"""The suite's last line is one honest pytest summary, and no test is left out of it."""

from pathlib import Path

import pytest

from scripts import suite
from scripts.suite import Outcome, Part


def test_the_last_line_counts_all_parts() -> None:
    parts = [
        Outcome("unit", 60, 10.0, {"passed": 300, "skipped": 2, "failed": 0, "error": 0}),
        Outcome("engine", 60, 2.345, {"passed": 12, "skipped": 0, "failed": 0, "error": 0}),
    ]
    assert suite.summary(parts) == "===== 312 passed, 2 skipped in 12.35s ====="


def test_a_part_that_failed_without_a_failed_test_is_an_error() -> None:
    parts = [Outcome("check", 60, 1.0, problem="failed"), Outcome("unit", 60, 1.0, {"passed": 1})]
    assert suite.summary(parts) == "===== 1 passed, 1 error in 2.00s ====="


def test_the_table_tells_who_was_late() -> None:
    assert "over budget" in suite.table([Outcome("unit", 60, 61.0, {"passed": 1})])
    assert "over budget" not in suite.table([Outcome("unit", 60, 59.0, {"passed": 1})])


def test_a_part_that_runs_no_test_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "RESULTS", tmp_path)
    file = tmp_path / "test_nothing.py"
    file.write_text("import pytest\n@pytest.mark.skip\ndef test_nothing(): pass\n")
    assert suite.run_part(Part("empty", 60, (str(file),))).problem == "ran no test"


def test_the_whole_budget_is_under_25_minutes() -> None:
    usual = (part.budget for part in suite.PARTS if part.name in suite.USUAL)
    assert suite.CHECK_BUDGET + sum(usual) < 25 * 60


def test_every_special_part_is_left_out_of_the_first_and_exists() -> None:
    first, *others = suite.PARTS
    assert set(first.without) == {path for part in others if not part.on_postgres for path in part.paths}
    assert [path for path in first.without if not (suite.BASE / path).exists()] == []
