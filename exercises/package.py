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

from exercises import equivalents, form, manifest
from exercises.equivalents import Equivalent

PACKAGES = Path(__file__).resolve().parent / "packages"


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
    """exercise.toml, checked.

    `rtol` and `atol` are the default tolerances of `close`; `minutes` is an estimate. `after` are the exercises to do
    before. `dtypes` are what results of the functions may be, whatever they are given; empty if the statement fixes it.
    """

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
    after: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong solution, in the several ways that people write it.

    `spellings` has the source by the name of its file; the first is named like the mistake. `fault` is what its author
    would say to a learner who makes it, and `fix` what to do about it.
    """

    slug: str
    spellings: Mapping[str, str]
    fault: str
    fix: str

    @property
    def source(self) -> str:
        """The first spelling."""
        return self.spellings[self.slug]

    @property
    def hint(self) -> str:
        return f"{self.fault}\n\n{self.fix}" if self.fix else self.fault


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
        spellings: dict[str, dict[str, str]] = {}
        for path in sorted(path for path in self.files if path.startswith("mistakes/")):
            name = Path(path).stem
            spellings.setdefault(form.mistake_of(path), {})[name] = self._text(path)
        return tuple(_mistake(slug, spellings[slug]) for slug in sorted(spellings))

    @cached_property
    def equivalents(self) -> tuple[Equivalent, ...]:
        """Mutants of the reference that are right, too."""
        return equivalents.parse(self._text(equivalents.FILENAME))[0] if equivalents.FILENAME in self.files else ()

    def _text(self, path: str) -> str:
        return self.files[path].decode("utf-8")


def _mistake(slug: str, spellings: Mapping[str, str]) -> Mistake:
    hint = inspect.cleandoc(ast.get_docstring(ast.parse(spellings[slug])) or "")
    fault, _, fix = hint.partition("\n\n")
    return Mistake(slug, {slug: spellings[slug], **spellings}, fault, fix.strip())


def slugs() -> list[str]:
    """The exercises that come with this repository, in alphabetical order."""
    return sorted(path.parent.name for path in PACKAGES.glob(f"*/{manifest.FILENAME}"))


def by_slug(slug: str) -> Package:
    """Read one of them; raise `PackageError` when there is none of that name."""
    if slug not in slugs():
        raise PackageError((f"There is no exercise “{slug}”. The exercises are: {', '.join(slugs()) or 'none yet'}.",))
    package = read_folder(PACKAGES / slug)
    unknown = [before for before in package.spec.after if before not in slugs()]
    if unknown:
        raise PackageError((f"{slug} comes after {', '.join(unknown)}, which no folder holds. Correct “after”.",))
    return package


def read_folder(folder: Path) -> Package:
    """Read and check the package in `folder`, whose name is its slug; raise `PackageError`."""
    if not folder.is_dir():
        raise PackageError((f"There is no folder {folder.name}. Create it, with {', '.join(form.REQUIRED)}.",))
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
    problems = form.file_problems(files)
    if problems:
        raise PackageError(tuple(problems))
    facts, problems = manifest.parse(files[manifest.FILENAME].decode("utf-8"))
    problems += form.source_problems(files, facts.entries)
    problems += equivalents.parse(files.get(equivalents.FILENAME, b"").decode("utf-8"))[1]
    if problems:
        raise PackageError(tuple(problems))
    return Package(_spec(facts), dict(files), digest_of(files))


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
