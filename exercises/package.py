"""An exercise as files: read, checked without running anything, and frozen under a digest.

Everything an author can get wrong in form is found here, by `tomllib` and `ast` alone, and told in full sentences. What
needs running (does the reference pass, is every mistake caught) is verification's business.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from exercises import manifest

PACKAGES = Path(__file__).resolve().parent / "packages"
MAX_FILE_BYTES = 2 << 20
REQUIRED = (manifest.FILENAME, "prompt.md", "starter.py", "reference.py", "tests.py")
OPTIONAL = ("support.py",)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the learner defines. `signature`, `name(parameter, …)`, is shown, and checked against the reference."""

    name: str
    kind: Literal["function", "class"]
    signature: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a submission may use. CPU seconds are the learner's own clock; memory is what the learner's code adds."""

    cpu_seconds: float = 1.0
    total_cpu_seconds: float = 5.0
    memory_mb: int = 256
    output_kb: int = 64
    reply_mb: float = 16.0


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a failed hidden test shows, besides its title: the comparison's message, the exception, the prints."""

    hidden_message: bool = False
    hidden_exception: bool = True
    hidden_output: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """exercise.toml, checked. `rtol` and `atol` are the default tolerances of `close`; `minutes` is an estimate."""

    slug: str
    title: str
    framework: Literal["numpy", "torch"]
    level: str
    minutes: int
    entries: tuple[Entry, ...]
    limits: Limits = field(default_factory=Limits)
    forbidden: tuple[str, ...] = ()
    rtol: float = 1e-5
    atol: float = 1e-8
    feedback: Feedback = field(default_factory=Feedback)
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong solution; `hint` is what its author would say to a learner who makes it."""

    slug: str
    source: str
    hint: str


class PackageError(ValueError):
    """The files do not make an exercise; each problem is a full sentence that says what to do."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Package:
    """One exercise: its specification and its files. Two packages with equal files have equal digests."""

    spec: Spec
    files: Mapping[str, bytes]
    digest: str

    @property
    def slug(self) -> str:
        return self.spec.slug

    @property
    def prompt(self) -> str:
        return self._text("prompt.md")

    @property
    def starter(self) -> str:
        return self._text("starter.py")

    @property
    def reference(self) -> str:
        return self._text("reference.py")

    @property
    def tests(self) -> str:
        return self._text("tests.py")

    @property
    def support(self) -> str | None:
        return self._text("support.py") if "support.py" in self.files else None

    @property
    def assets(self) -> dict[str, bytes]:
        """Content by path below assets/."""
        return {path.removeprefix("assets/"): data for path, data in self.files.items() if path.startswith("assets/")}

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Sorted by slug."""
        return tuple(self._mistake(path) for path in sorted(self.files) if path.startswith("mistakes/"))

    def _mistake(self, path: str) -> Mistake:
        source = self._text(path)
        return Mistake(Path(path).stem, source, inspect.cleandoc(ast.get_docstring(ast.parse(source)) or ""))

    def _text(self, path: str) -> str:
        return self.files[path].decode("utf-8")


def slugs() -> list[str]:
    """The exercises that come with this repository, in alphabetical order."""
    return sorted(path.parent.name for path in PACKAGES.glob(f"*/{manifest.FILENAME}"))


def by_slug(slug: str) -> Package:
    """Read one of them; raise `PackageError` when there is none of that name."""
    if slug not in slugs():
        raise PackageError((f"There is no exercise “{slug}”. The exercises are: {', '.join(slugs()) or 'none yet'}.",))
    return read_folder(PACKAGES / slug)


def read_folder(folder: Path) -> Package:
    """Read and check the package in `folder`, whose name is its slug; raise `PackageError`."""
    if not folder.is_dir():
        raise PackageError((f"There is no folder {folder.name}. Create it, with {', '.join(REQUIRED)}.",))
    package = from_files(_read_files(folder))
    if package.slug != folder.name:
        raise PackageError(
            (
                f"The folder is called {folder.name}, but exercise.toml says slug = “{package.slug}”. "
                "Make the two names equal.",
            )
        )
    return package


def from_files(files: Mapping[str, bytes]) -> Package:
    """Check files (content by relative path with forward slashes) and make them a package; raise `PackageError`."""
    problems = [*_file_problems(files)]
    if problems:
        raise PackageError(tuple(problems))
    facts, problems = manifest.parse(files[manifest.FILENAME].decode("utf-8"))
    spec = _spec(facts) if not problems else None
    problems += _source_problems(files, spec.entries if spec else ())
    if spec is None or problems:
        raise PackageError(tuple(problems))
    return Package(spec, dict(files), digest_of(files))


def digest_of(files: Mapping[str, bytes]) -> str:
    """SHA-256, hexadecimal, over path, length and content of every file in order of path."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path}\0{len(files[path])}\0".encode())
        digest.update(files[path])
    return digest.hexdigest()


def _read_files(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`, except what Python, editors and version control leave behind."""
    files = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in parts):
            files["/".join(parts)] = path.read_bytes()
    return files


def _spec(facts: manifest.Facts) -> Spec:
    return Spec(
        **facts.plain,
        entries=tuple(Entry(**entry) for entry in facts.entries),
        limits=Limits(**facts.limits),
        feedback=Feedback(**facts.feedback),
    )


def _file_problems(files: Mapping[str, bytes]) -> list[str]:
    problems = [f"The file {name} is missing. Add it." for name in REQUIRED if name not in files]
    for path, content in sorted(files.items()):
        if not _is_known(path):
            problems.append(
                f"The file {path} is not part of an exercise. Move it to assets/ if learners' code reads it, "
                "or remove it."
            )
        elif len(content) > MAX_FILE_BYTES:
            problems.append(f"The file {path} is larger than 2 MB. Make it smaller.")
        elif not path.startswith("assets/"):
            problems += _text_problems(path, content)
    return problems


def _is_known(path: str) -> bool:
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in path or "\\" in path:
        return False
    if len(parts) == 1:
        return path in REQUIRED + OPTIONAL
    return parts[0] == "assets" or (parts[0] == "mistakes" and len(parts) == 2 and path.endswith(".py"))


def _text_problems(path: str, content: bytes) -> list[str]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return [f"The file {path} is not UTF-8 text. Save it as UTF-8."]
    if "\0" in text:
        return [f"The file {path} contains NUL bytes. Save it as plain text."]
    return [] if text.strip() else [f"The file {path} is empty. Write it."]


def _source_problems(files: Mapping[str, bytes], entries: tuple[Entry, ...]) -> list[str]:
    problems: list[str] = []
    for path in sorted(path for path in files if path.endswith(".py") and not path.startswith("assets/")):
        try:
            tree = ast.parse(files[path].decode("utf-8"))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            problems.append(f"Python cannot read {path}, line {line}: {getattr(error, 'msg', error)}. Correct it.")
            continue
        except (RecursionError, MemoryError):
            problems.append(f"The file {path} is nested too deeply for Python to read. Make it simpler.")
            continue
        problems += _tree_problems(path, tree, entries)
    return problems


def _tree_problems(path: str, tree: ast.Module, entries: tuple[Entry, ...]) -> list[str]:
    if path in ("starter.py", "reference.py"):
        return [problem for entry in entries for problem in _entry_problems(path, tree, entry)]
    if path.startswith("mistakes/") and not (ast.get_docstring(tree) or "").strip():
        return [f"The mistake {path} has no docstring. Begin it with the hint its author would give a learner."]
    if path == "tests.py" and not any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test") for node in tree.body
    ):
        return ["The file tests.py has no function whose name begins with “test”. Write at least one test."]
    return []


def _entry_problems(path: str, tree: ast.Module, entry: Entry) -> list[str]:
    """`entry` is defined in `tree`, is of its kind, and names its parameters as the signature does."""
    node = next((node for node in reversed(tree.body) if getattr(node, "name", "") == entry.name), None)
    wanted = ast.ClassDef if entry.kind == "class" else ast.FunctionDef
    if not isinstance(node, wanted):
        return [f"The file {path} does not define the {entry.kind} `{entry.name}` that exercise.toml lists. Add it."]
    told, defined = manifest.parameters(entry.signature), _parameters(node)
    if defined is not None and defined[: len(told)] != told:
        return [
            f"In {path}, `{entry.name}` takes ({', '.join(defined)}), but exercise.toml promises "
            f"`{entry.signature}`. Make the two agree."
        ]
    return []


def _parameters(node: ast.FunctionDef | ast.ClassDef) -> list[str] | None:
    """Names of the parameters, without `self`; None for a class that defines no constructor of its own."""
    if isinstance(node, ast.FunctionDef):
        return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return (_parameters(item) or [])[1:]
    return None
