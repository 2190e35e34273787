"""One exercise under another public grader, side by side: Otter-Grader, as its own `otter run` grades on one machine.

Otter is installed into a throwaway environment below `build/`, or left out with a sentence where it cannot be. The
tests are those of `positional-encoding` in Otter's form: they run in the process of the submission.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from exercises.package import by_slug
from grader.judge import judge
from grader.sandbox import Sandbox
from scripts.bench.latency import in_turns
from scripts.bench.scale import WHOLE, Scale

ROUNDS = 5
REQUIREMENTS = ("otter-grader==7.0.0", "ipykernel", "numpy")
_ENVIRONMENT = Path("build/otter")
_PATIENCE = 600.0  # seconds to install, and to grade

TESTS = """
OK_FORMAT = False
name = "positional-encoding"
points = None

import cmath
import math

import numpy as np
from otter.test_files import test_case


def closed_form(n_positions, d_model):
    rows = []
    for position in range(n_positions):
        turns = [cmath.exp(1j * position * math.exp(-math.log(10000.0) * k / d_model)) for k in range(0, d_model, 2)]
        rows.append([part for turn in turns for part in (turn.imag, turn.real)][:d_model])
    return np.array(rows)


def same(found, expected):
    assert isinstance(found, np.ndarray) and found.dtype in (np.float32, np.float64)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6, strict=False)
    assert found.shape == np.shape(expected)


@test_case(points=1, hidden=False)
def test_example_of_the_statement(positional_encoding):
    same(positional_encoding(2, 8), [[0.0, 1.0] * 4,
         [0.8414710, 0.5403023, 0.0998334, 0.9950042, 0.0099998, 0.9999500, 0.0010000, 0.9999995]])


@test_case(points=1, hidden=False)
def test_example_of_odd_width(positional_encoding):
    same(positional_encoding(3, 5), [[0.0, 1.0, 0.0, 1.0, 0.0], [0.8414710, 0.5403023, 0.0251162, 0.9996845, 0.0006310],
         [0.9092974, -0.4161468, 0.0502166, 0.9987384, 0.0012619]])


@test_case(points=5, hidden=True)
def test_shape(positional_encoding):
    for n_positions, d_model in [(1, 1), (1, 6), (6, 1), (7, 9), (50, 512)]:
        assert positional_encoding(n_positions, d_model).shape == (n_positions, d_model)


@test_case(points=1, hidden=True)
def test_position_zero(positional_encoding):
    same(positional_encoding(1, 12), [[0.0, 1.0] * 6])


@test_case(points=2, hidden=True)
def test_published_rows(positional_encoding):
    encoding = positional_encoding(50, 512)
    assert encoding.shape == (50, 512)
    same(encoding[1, :4], [0.8414710, 0.5403023, 0.8218562, 0.5696950])
    same(encoding[49, :4], [-0.9537527, 0.3005925, -0.1440269, -0.9895738])


@test_case(points=8, hidden=True)
def test_every_value(positional_encoding):
    for n_positions, d_model in [(6, 8), (50, 64), (9, 7), (12, 30)]:
        same(positional_encoding(n_positions, d_model), closed_form(n_positions, d_model))


@test_case(points=2, hidden=True)
def test_any_size(positional_encoding):
    rng = np.random.default_rng(20)
    for _ in range(3):
        n_positions, d_model = int(rng.integers(2, 60)), int(rng.integers(3, 60))
        same(positional_encoding(n_positions, d_model), closed_form(n_positions, d_model))


@test_case(points=1, hidden=True)
def test_pairs_lie_on_the_unit_circle(positional_encoding):
    encoding = positional_encoding(30, 24)
    same(encoding[:, 0::2] ** 2 + encoding[:, 1::2] ** 2, np.ones((30, 12)))


@test_case(points=2, hidden=True)
def test_a_step_is_a_rotation(positional_encoding):
    encoding, step = positional_encoding(40, 16), 3
    sines, cosines = encoding[:, 0::2], encoding[:, 1::2]
    angles = step * 10000.0 ** (-np.arange(0, 16, 2) / 16)
    same(sines[step:], sines[:-step] * np.cos(angles) + cosines[:-step] * np.sin(angles))
    same(cosines[step:], cosines[:-step] * np.cos(angles) - sines[:-step] * np.sin(angles))


@test_case(points=1, hidden=True)
def test_calls_agree(positional_encoding):
    first = positional_encoding(5, 6)
    positional_encoding(9, 4)
    same(positional_encoding(5, 6), closed_form(5, 6))
    same(first, closed_form(5, 6))
"""


def beside_otter(scale: Scale = WHOLE) -> dict[str, float]:
    """Seconds of one grading of the reference by each, taking turns; {} where Otter cannot be installed."""
    program = _installed()
    if program is None:
        return {}
    package = by_slug("positional-encoding")
    with tempfile.TemporaryDirectory(prefix="gradus-otter-") as folder, Sandbox() as sandbox:
        graded = _Otter(program, Path(folder), package.reference)

        def ours() -> None:
            assert judge(package, package.reference, seed=20, sandbox=sandbox).accepted
            sandbox.settle()

        gradus, otter = in_turns(scale.of(ROUNDS), ours, graded.run)
    return {"gradus_seconds": gradus, "otter_seconds": otter, "otter_over_gradus": otter / gradus}


def _installed() -> Path | None:
    """Otter's program, installed now if it is not yet."""
    program = _ENVIRONMENT / "bin" / "otter"
    if not program.exists():
        print(f"  installing {REQUIREMENTS[0]} into {_ENVIRONMENT}", flush=True)
        pip = [str(_ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet", *REQUIREMENTS]
        try:
            subprocess.run([sys.executable, "-m", "venv", str(_ENVIRONMENT)], check=True, timeout=_PATIENCE)
            subprocess.run(pip, check=True, timeout=_PATIENCE, capture_output=True)
        except (subprocess.SubprocessError, OSError) as error:
            print(f"  Otter is left out, because it could not be installed ({type(error).__name__}).")
            return None
    return program.resolve()


class _Otter:
    """One assignment, and one submission that earns every point."""

    def __init__(self, program: Path, folder: Path, source: str) -> None:
        self._program, self._folder = program, folder
        (folder / "tests").mkdir()
        (folder / "tests" / "tests.py").write_text(TESTS)
        (folder / "submission.py").write_text(source)
        self._otter("generate", "--tests-dir", "tests", "--lang", "python")

    def run(self) -> None:
        self._otter("run", "--autograder", "autograder.zip", "--output-dir", ".", "submission.py")
        tests = json.loads((self._folder / "results.json").read_text())["tests"]
        assert tests
        assert all(test["score"] == test["max_score"] for test in tests if "max_score" in test), tests

    def _otter(self, *arguments: str) -> None:
        subprocess.run(
            [self._program, *arguments], cwd=self._folder, check=True, timeout=_PATIENCE, capture_output=True
        )
