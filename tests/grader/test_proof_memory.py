from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.proof_memory import ProofMemory
from grader.proving import FAST, FULL, Extent
from tests.grader.small import make_package


def proof(extent: Extent) -> dict[str, Any]:
    return {"ok": True, "slug": "double", "digest": make_package().digest, "extent": extent.name}


@pytest.fixture
def memory(tmp_path: Path) -> ProofMemory:
    return ProofMemory(tmp_path / "build" / "proven.json")


def test_a_proof_is_remembered_for_these_files_alone(memory: ProofMemory) -> None:
    assert memory.recall(make_package(), FAST) is None
    memory.add([proof(FAST)])
    assert memory.recall(make_package(), FAST) == proof(FAST)
    assert memory.recall(make_package(prompt="Said better."), FAST) is None


def test_a_full_proof_serves_where_a_fast_one_would_and_not_the_other_way_round(memory: ProofMemory) -> None:
    memory.add([proof(FAST)])
    assert memory.recall(make_package(), FULL) is None
    memory.add([proof(FULL)])
    assert memory.recall(make_package(), FULL) == memory.recall(make_package(), FAST) == proof(FULL)


def test_another_engine_remembers_nothing(memory: ProofMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.add([proof(FULL)])
    monkeypatch.setattr("grader.proof_memory.engine_digest", lambda: "another")
    assert memory.recall(make_package(), FULL) is None


@pytest.mark.parametrize("spoilt", ["{broken", "[]", ""])
def test_a_spoilt_file_remembers_nothing(tmp_path: Path, spoilt: str) -> None:
    file = tmp_path / "proven.json"
    ProofMemory(file).add([proof(FULL)])
    file.write_text(spoilt)
    assert ProofMemory(file).recall(make_package(), FULL) is None
