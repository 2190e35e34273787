from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader import proof_record
from grader.proof_record import BadRecord, ProofRecord
from tests.grader.small import make_package


def found(**changed: Any) -> dict[str, Any]:
    """The report on the small exercise."""
    facts = {"mistakes": 1, "mutants": 10, "killed": 9, "equivalent": 1, "mutation_score": 1.0, "public": ("x",)}
    about = {"slug": "double", "ok": True, "extent": "full", "digest": make_package().digest, "seconds": 0.3}
    return {**about, **facts, "made_with": {"python": "3.11.2"}, **changed}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(proof_record, "RECORD", tmp_path / "proofs.json")
    return tmp_path / "proofs.json"


def test_what_is_written_is_read_again() -> None:
    record = ProofRecord.of([found()])
    record.write()
    assert ProofRecord.read() == record
    assert ProofRecord.read().differences(record) == []


def test_without_a_file_nothing_is_recorded() -> None:
    assert ProofRecord.read() == ProofRecord()
    assert ProofRecord.read().recall(make_package()) is None


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"engine": "e", "exercises": 3}'])
def test_a_file_that_is_no_record_is_refused_with_what_to_do(file: Path, content: str) -> None:
    file.write_text(content)
    with pytest.raises(
        BadRecord, match=r"Restore it, or make it anew with `manage.py verify_exercises --write-record`"
    ):
        ProofRecord.read()


def test_times_are_no_part_of_it(file: Path) -> None:
    ProofRecord.of([found()]).write()
    assert "seconds" not in file.read_text()


def test_it_proves_these_files_under_this_engine_alone() -> None:
    record = ProofRecord.of([found()])
    report = record.recall(make_package())
    assert report is not None
    assert (report["ok"], report["extent"], report["killed"], report["shipped"]) == (True, "full", 9, True)
    assert record.recall(make_package(prompt="Said better.")) is None
    assert replace(record, engine="of yesterday").recall(make_package()) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda record: replace(record, engine="of yesterday"), "It was made by an earlier engine."),
        (lambda record: ProofRecord.of([found(killed=8)]), "double: killed is 9, and the record says 8."),
        (lambda record: ProofRecord.of([]), "double: is missing."),
        (
            lambda record: ProofRecord.of([found(), found(slug="triple")]),
            "triple: is no exercise that was proven now.",
        ),
    ],
)
def test_each_difference_is_told(change: Callable[[ProofRecord], ProofRecord], told: str) -> None:
    record = ProofRecord.of([found()])
    assert change(record).differences(record) == [told]


def test_versions_are_only_stated() -> None:
    record = ProofRecord.of([found()])
    assert ProofRecord.of([found(made_with={"python": "3.13.1"})]).differences(record) == []
