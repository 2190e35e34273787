"""Forbidden names are found however they were imported; what is trapped can be put back."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest
import torch

from exercises.testkit.forbidden import ForbiddenCall, find_forbidden, trap_forbidden

SOFTMAX = ["torch.nn.functional.softmax", "torch.softmax"]


def lines(source: str, forbidden: list[str] = SOFTMAX) -> list[int]:
    return sorted({line for _, line in find_forbidden(ast.parse(source), forbidden)})


@pytest.mark.parametrize(
    "source, line",
    [
        ("import torch\ntorch.softmax(x, 0)\n", 2),
        ("import torch as t\n\nt.softmax(x, 0)\n", 3),
        ("import torch.nn.functional\ntorch.nn.functional.softmax(x, 0)\n", 2),
        ("import torch.nn.functional as F\ny = F.softmax\n", 2),
        ("from torch import nn\nnn.functional.softmax(x, 0)\n", 2),
        ("from torch.nn import functional as f\nf.softmax(x, 0)\n", 2),
        ("from torch.nn.functional import softmax\nsoftmax(x)\n", 1),
        ("def g(x):\n    from torch import softmax as s\n    return s(x, 0)\n", 2),
        ("import torch\nclass A:\n    act = torch.softmax\n", 3),
        ("import torch\ndef g(x, act=torch.nn.functional.softmax): ...\n", 2),
    ],
)
def test_a_forbidden_name_is_found_where_it_stands(source: str, line: int) -> None:
    assert lines(source)[0] == line


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.exp(x)\n",
        "import torch\ntorch.softmax_mine(x)\n",
        "def softmax(x): ...\nsoftmax(1)\n",
        "import numpy as torch_like\ntorch_like.softmax(x)\n",
        "import mine\nmine.torch.softmax(x)\n",
        "from .torch import softmax\n",
        "'torch.softmax'\n",
        "x.softmax(0)\n",
        "import torch\nif __name__ == '__main__':\n    print(torch.softmax(x, 0))\n",
        "import torch\nif '__main__' == __name__:\n    print(torch.softmax(x, 0))\n",
        "import torch\ndef g(x: torch.softmax) -> torch.softmax:\n    y: torch.softmax = 1\n",
        "from torch.nn.functional import softmax\n",
        "import torch.nn.functional as F\n",
    ],
)
def test_another_name_is_let_through(source: str) -> None:
    assert lines(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import torch\nif __name__ != '__main__':\n    torch.softmax(x, 0)\n",
        "import torch\nif __name__ == '__main__':\n    pass\nelse:\n    torch.softmax(x, 0)\n",
        "import torch\nif name == '__main__':\n    torch.softmax(x, 0)\n",
        "import torch\ny: int = torch.softmax\n",
    ],
)
def test_what_runs_beside_what_never_does_is_found(source: str) -> None:
    assert lines(source)


def test_without_forbidden_names_nothing_is_looked_for() -> None:
    assert lines("import torch\ntorch.softmax(x)\n", []) == []


def test_a_trapped_function_raises_and_comes_back() -> None:
    original = torch.nn.functional.softmax
    restore = trap_forbidden(["torch.nn.functional.softmax", "numpy.linalg.inv", "torch.Tensor.softmax"])
    try:
        with pytest.raises(ForbiddenCall, match=r"write torch\.nn\.functional\.softmax yourself"):
            torch.nn.functional.softmax(torch.ones(2), 0)
        with pytest.raises(ForbiddenCall):
            np.linalg.inv(np.eye(2))
        with pytest.raises(ForbiddenCall):
            torch.ones(2).softmax(0)
    finally:
        restore()
    assert torch.nn.functional.softmax is original
    assert torch.ones(2).softmax(0).tolist() == [0.5, 0.5]
    np.testing.assert_array_equal(np.linalg.inv(np.eye(2)), np.eye(2))


def test_a_trapped_method_serves_the_library_that_calls_it_itself() -> None:
    restore = trap_forbidden(["torch.Tensor.softmax"])
    try:
        with pytest.raises(ForbiddenCall):
            torch.ones(2).softmax(0)
        assert torch.nn.functional.softmax(torch.ones(2), 0).tolist() == [0.5, 0.5]
    finally:
        restore()


def test_a_trapped_function_is_no_longer_behind_a_layer_of_the_library() -> None:
    restore = trap_forbidden(["torch.nn.functional.softmax"])
    try:
        with pytest.raises(ForbiddenCall):
            torch.nn.Softmax(0)(torch.ones(2))
    finally:
        restore()


UFUNCS = [f"numpy.{name}" for name in dir(np) if isinstance(getattr(np, name), np.ufunc)]


def test_numpy_goes_on_working_without_any_ufunc_of_the_learners() -> None:
    found = np.array([3.0, 1.0, 2.0])
    restore = trap_forbidden(UFUNCS)
    try:
        with pytest.raises(ForbiddenCall, match=r"write numpy\.exp yourself"):
            np.exp(found)
        assert found.mean() == np.mean(found) == np.median(found) == 2.0
        assert np.add.reduce(found) == 6.0
        assert np.add.nin == 2
        assert np.linalg.norm(found[:1]) == 3.0
        assert np.allclose(np.sort(found), np.unique(found))
        assert np.ma.masked_array(found, found > 2).sum() == 3.0
        assert np.polynomial.Polynomial([1.0, 2.0])(2.0) == 5.0
        assert np.random.default_rng(0).normal(size=2).shape == (2,)
        np.testing.assert_allclose(np.fft.ifft(np.fft.fft(found)).real, found)
        assert repr(found) == "array([3., 1., 2.])"
    finally:
        restore()
    assert isinstance(np.exp, np.ufunc)


def test_a_trap_looks_like_what_it_replaces() -> None:
    signature = inspect.signature(torch.nn.functional.softmax)
    restore = trap_forbidden(["torch.nn.functional.softmax"])
    try:
        assert inspect.signature(torch.nn.functional.softmax) == signature
        assert torch.nn.functional.softmax.__name__ == "softmax"
        assert not hasattr(torch.nn.functional.softmax, "__wrapped__")
    finally:
        restore()


def test_a_module_that_is_not_yet_imported_is_imported_to_be_trapped() -> None:
    restore = trap_forbidden(["numpy.polynomial.chebyshev.chebval"])
    try:
        with pytest.raises(ForbiddenCall):
            np.polynomial.chebyshev.chebval(1.0, [1.0])
    finally:
        restore()
