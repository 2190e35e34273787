"""`pytest exercises/packages/<slug>/tests.py` as an author runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from exercises.package import PACKAGES, by_slug, slugs

ROOT = PACKAGES.parent.parent
# Attention that never calls its projections, only takes their parameters: right, and deaf to hooks.
SILENT = """

class SilentHeadAttention(MultiHeadAttention):
    def forward(self, *given):
        parts = {name: part for name, part in self._modules.items()}
        try:
            for name, part in parts.items():
                self._modules[name] = lambda x, part=part: nn.functional.linear(x, part.weight, part.bias)
            return super().forward(*given)
        finally:
            self._modules.update(parts)
"""


def author_runs(options: str, *tested: str) -> subprocess.CompletedProcess[str]:
    files = [f"exercises/packages/{slug}/tests.py" for slug in tested]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *files, *options.split()]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_every_reference_passes() -> None:
    done = author_runs("", *slugs())
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_that_warns_and_prints_is_tested_like_any_other() -> None:
    path = "tests/exercises/right/positional-encoding/prints_and_warns.py"
    done = author_runs(f"--solution {path} --seed 5", "positional-encoding")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_file_fails_with_the_learners_sentence() -> None:
    path = "exercises/packages/positional-encoding/mistakes/halves-joined.py"
    done = author_runs(f"--solution {path}", "positional-encoding")
    assert done.returncode == 1
    assert "You put columns 0, 2, 4 … first" in done.stdout


def test_what_a_test_exhibits_is_made_and_what_cannot_be_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no_map.py"
    path.write_text(by_slug("translator").reference.replace("self.cross_attn = Multi", "self.cross_attn = Silent"))
    path.write_text(path.read_text() + SILENT)
    done = author_runs(f"--solution {path}", "translator")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "“dog bites man” has no grid: LearnerError: IndexError" in done.stdout
    assert "has no grid" not in author_runs("", "translator").stdout


def test_a_forbidden_name_is_told(tmp_path: Path) -> None:
    path = tmp_path / "forbidden.py"
    path.write_text("from torch.nn import MultiheadAttention\nMultiHeadAttention = MultiheadAttention\n")
    done = author_runs(f"--solution {path}", "multi-head-attention")
    assert done.returncode == 1
    assert "Line 1 uses torch.nn.MultiheadAttention" in done.stdout
