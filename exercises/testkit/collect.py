"""Find the tests of a file as pytest would: same order, same ids, without pytest.

Whatever pytest offers beyond functions, `parametrize` and the five fixtures is refused with a sentence for the author,
never silently ignored: a test that does not run would be worse than none.
"""

from __future__ import annotations

import builtins
import hashlib
import inspect
import itertools
import linecache
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

import numpy as np

from exercises.testkit.marks import POINTS, PUBLIC, SAMPLE
from exercises.testkit.pytest_shim import PARAMETRIZED, CollectError, Parametrization, pytest

FIXTURES = ("solution", "reference", "support", "rng", "assets")
HOOKS = (
    "pytestmark",
    "pytest_plugins",
    "pytest_generate_tests",
    "setup_module",
    "setUpModule",
    "setup_function",
    "teardown_module",
    "tearDownModule",
    "teardown_function",
    "__test__",
)

LOADING = "loading"
"""In the place of a test's name, which begins otherwise."""

__all__ = ["LOADING", "CollectError", "TestCase", "collect", "rng_for", "seed_for"]


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test to run: `function(**fixtures, **arguments)`. `public` is why what it expects may be known, or empty."""

    __test__ = False  # not a test class, whatever its name says

    name: str
    title: str
    sample: bool
    points: int
    function: Callable[..., None]
    arguments: Mapping[str, Any]
    fixtures: tuple[str, ...]
    public: str = ""


def collect(source: str, filename: str = "tests.py") -> list[TestCase]:
    """Execute the test file and list its tests in order; raise `CollectError` with a sentence for its author."""
    module = _execute(source, filename)
    for name in HOOKS:
        if name in module.__dict__:
            raise CollectError(f"{filename} defines {name}, which is not available when tests are graded. Remove it.")
    cases = [case for name, function in _functions(module) for case in _cases(name, function)]
    if not cases:
        raise CollectError(f"{filename} has no test: no function whose name begins with “test”. Write one.")
    names = [case.name for case in cases]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise CollectError(f"{filename} has two tests called {twice}. Give their cases different ids.")
    return cases


def rng_for(seed: int, name: str) -> np.random.Generator:
    """The random generator of the test `name` under this seed: the same in a sample run and in a regrade."""
    key = hashlib.sha256(f"{seed}\0{name}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(key, "little")))


def seed_for(seed: int, name: str) -> int:
    """Of the learner's and the reference's random generators in the test `name`; or while loading, `LOADING`."""
    return int(rng_for(seed, name).integers(1 << 62))


def _execute(source: str, filename: str) -> types.ModuleType:
    module = types.ModuleType("tests")
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    module.__file__ = filename
    linecache.cache[filename] = (len(source), None, StringIO(source, None).readlines(), filename)
    try:
        exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    except CollectError:
        raise
    except SyntaxError as error:
        raise CollectError(
            f"Python cannot read {filename}, line {error.lineno or 1}: {error.msg}. Correct it."
        ) from None
    except Exception as error:
        raise CollectError(f"{filename} cannot be imported: it raised {type(error).__name__}: {error}.") from error
    return module


def _import(name: str, *args: Any, **kwargs: Any) -> Any:
    """`import`, with the shim in place of pytest. Bound to the test file alone, so nothing else sees it."""
    if name == "pytest":
        return pytest
    if name.startswith(("pytest.", "_pytest")):
        raise CollectError(f"The module {name} is not available when tests are graded. Import pytest alone.")
    return __import__(name, *args, **kwargs)


def _functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., None]]]:
    for name, value in vars(module).items():
        if name.startswith("Test") and isinstance(value, type) and getattr(value, "__test__", True):
            raise CollectError(f"Test classes such as {name} are not available when tests are graded. Write functions.")
        if name.startswith("test") and isinstance(value, types.FunctionType):
            if inspect.iscoroutinefunction(value) or inspect.isgeneratorfunction(value):
                raise CollectError(f"{name} is a coroutine or a generator. Write an ordinary function.")
            yield name, value


def _cases(name: str, function: Callable[..., None]) -> Iterator[TestCase]:
    marks: tuple[Parametrization, ...] = getattr(function, PARAMETRIZED, ())
    parametrized = [argument for mark in marks for argument in mark.names]
    if len(parametrized) != len(set(parametrized)):
        raise CollectError(f"{name} parametrizes an argument twice. Keep one of the two.")
    fixtures = _fixtures(name, function, parametrized)
    for choice in itertools.product(*(range(len(mark.cases)) for mark in marks)):
        picked = list(zip(marks, choice, strict=True))
        identity = "-".join(mark.ids[index] for mark, index in picked)
        arguments = {
            argument: value
            for mark, index in picked
            for argument, value in zip(mark.names, mark.cases[index].values, strict=True)
        }
        yield TestCase(
            name=f"{name}[{identity}]" if marks else name,
            title=_title(name, function),
            sample=getattr(function, SAMPLE, False),
            points=getattr(function, POINTS, 1),
            function=function,
            arguments=arguments,
            fixtures=fixtures,
            public=getattr(function, PUBLIC, ""),
        )


def _fixtures(name: str, function: Callable[..., None], parametrized: list[str]) -> tuple[str, ...]:
    """The fixtures that the function asks for; every parameter must be one, or be parametrized, or have a default."""
    parameters = inspect.signature(function).parameters
    for argument in parametrized:
        if argument not in parameters:
            raise CollectError(f"{name} is parametrized with {argument}, but takes no such argument. Add it.")
    asked = []
    for argument, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise CollectError(f"{name} takes {parameter}. Name its arguments plainly.")
        if argument in parametrized or parameter.default is not parameter.empty:
            continue
        if argument not in FIXTURES:
            raise CollectError(f"{name} asks for “{argument}”. There are only: {', '.join(FIXTURES)}.")
        asked.append(argument)
    return tuple(asked)


def _title(name: str, function: Callable[..., None]) -> str:
    """First line of the docstring, else the name in words."""
    first = (inspect.getdoc(function) or "").strip().split("\n")[0].strip()
    return first or name.removeprefix("test").strip("_").replace("_", " ").capitalize()
