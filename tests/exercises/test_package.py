"""Reading an exercise: what is refused, and what the author is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from exercises.package import PACKAGES, PackageError, by_slug, digest_of, from_files, read_folder, slugs

TOML = """
slug = "double"
title = "Double it"
framework = "numpy"
level = "beginner"
minutes = 5

[[entry]]
name = "double"
kind = "function"
signature = "double(x)"
"""
FILES: dict[str, str] = {
    "exercise.toml": TOML,
    "prompt.md": "Double a number.",
    "starter.py": "def double(x):\n    return x\n",
    "reference.py": "def double(x, times=2):\n    return times * x\n",
    "tests.py": "def test_two(solution):\n    pass\n",
    "mistakes/squared.py": '"""You squared it.\n\n    Add it to itself."""\n\ndef double(x):\n    return x * x\n',
}


def made(files: Mapping[str, str | bytes | None]) -> dict[str, bytes]:
    """FILES with these changes; None takes a file away."""
    merged: dict[str, str | bytes | None] = {**FILES, **files}
    return {
        path: content.encode() if isinstance(content, str) else content
        for path, content in merged.items()
        if content is not None
    }


def problems(files: Mapping[str, str | bytes | None]) -> str:
    with pytest.raises(PackageError) as refused:
        from_files(made(files))
    return "\n".join(refused.value.problems)


def test_a_package_holds_its_files() -> None:
    package = from_files(made({"support.py": "WIDTH = 8\n", "assets/weights.bin": b"\x00\xff"}))
    assert package.slug == "double"
    assert package.reference == FILES["reference.py"]
    assert package.support == "WIDTH = 8\n"
    assert package.assets == {"weights.bin": b"\x00\xff"}
    assert [(mistake.slug, mistake.hint) for mistake in package.mistakes] == [
        ("squared", "You squared it.\n\nAdd it to itself.")
    ]


def test_spellings_of_a_mistake_share_its_name_and_hint() -> None:
    other = "def double(x):\n    return x ** 2\n"
    (mistake,) = from_files(made({"mistakes/squared.power.py": other})).mistakes
    assert (mistake.slug, mistake.fault, mistake.fix) == ("squared", "You squared it.", "Add it to itself.")
    assert list(mistake.spellings) == ["squared", "squared.power"]
    assert mistake.spellings["squared.power"] == other


def test_a_spelling_needs_its_mistake_and_no_hint_of_its_own() -> None:
    lost = {"mistakes/cubed.power.py": "def double(x):\n    return x ** 3\n"}
    assert "another spelling of a mistake that has no file. Add mistakes/cubed.py." in problems(lost)
    told = {"mistakes/squared.power.py": '"""You squared it."""\n\n\ndef double(x):\n    return x ** 2\n'}
    assert "The spelling mistakes/squared.power.py has a docstring. Remove it" in problems(told)


@pytest.mark.parametrize("hint", ["You squared it.", "You squared it.\n\nAdd it.\n\nTo itself."])
def test_a_hint_has_two_paragraphs(hint: str) -> None:
    told = problems({"mistakes/squared.py": f'"""{hint}"""\n\n\ndef double(x):\n    return x * x\n'})
    assert "Write two: what is wrong, and what to do about it." in told


def test_a_test_that_asks_for_support_needs_the_file() -> None:
    asking = {"tests.py": "def test_two(solution, support):\n    pass\n"}
    assert "The test test_two asks for “support”, but there is no file support.py. Write it." in problems(asking)
    from_files(made({**asking, "support.py": "WIDTH = 8\n"}))


def test_a_package_without_support_has_none() -> None:
    assert from_files(made({})).support is None


def test_specification_has_defaults_and_takes_what_is_written() -> None:
    spec = from_files(made({})).spec
    assert (spec.rtol, spec.atol, spec.limits.cpu_seconds, spec.feedback.hidden_message) == (1e-5, 1e-8, 1.0, False)
    toml = f"rtol = 0\nforbidden = ['numpy.dot']{TOML}[limits]\nmemory_mb = 64\n[feedback]\nhidden_message = true\n"
    spec = from_files(made({"exercise.toml": toml})).spec
    assert (spec.rtol, spec.forbidden, spec.limits.memory_mb, spec.feedback.hidden_message) == (
        0,
        ("numpy.dot",),
        64,
        True,
    )


def test_digest_changes_with_any_content_and_not_with_order() -> None:
    files = made({})
    assert digest_of(files) == digest_of(dict(reversed(files.items())))
    assert digest_of(files) != digest_of(made({"prompt.md": "Double a number!"}))
    assert digest_of({"a": b"bc"}) != digest_of({"ab": b"c"})


@pytest.mark.parametrize(
    "files, told",
    [
        ({"prompt.md": None}, "The file prompt.md is missing. Add it."),
        ({"starter.py": "  \n"}, "The file starter.py is empty. Write it."),
        ({"notes.txt": "x"}, "The file notes.txt is not part of an exercise."),
        ({"mistakes/deep/er.py": '"""x"""'}, "The file mistakes/deep/er.py is not part of an exercise."),
        ({"assets/../tests.py": "x"}, "is not part of an exercise."),
        ({"prompt.md": b"\xff\xfe"}, "The file prompt.md is not UTF-8 text. Save it as UTF-8."),
        ({"tests.py": "def test():\n    '\0'"}, "The file tests.py contains NUL bytes."),
        ({"assets/big": b"x" * (2 << 20 | 1)}, "The file assets/big is larger than 2 MB."),
        ({"tests.py": "def test(:\n"}, "Python cannot read tests.py, line 1"),
        ({"tests.py": "x = 1\n"}, "The file tests.py has no function whose name begins with “test”."),
        ({"reference.py": "x = 1\n"}, "The file reference.py does not define the function `double`"),
        ({"starter.py": "class double:\n    pass\n"}, "The file starter.py does not define the function `double`"),
        ({"reference.py": "def double(y): ...\n"}, "`double` takes (y), but exercise.toml promises `double(x)`."),
        ({"equivalents.toml": "[other]\n"}, "equivalents.toml has an unknown table “other”."),
        ({"mistakes/m.py": "x = 1\n"}, "The mistake mistakes/m.py has no docstring."),
    ],
)
def test_what_is_wrong_with_the_files_is_told(files: dict[str, str | bytes | None], told: str) -> None:
    assert told in problems(files)


@pytest.mark.parametrize(
    "old, new, told",
    [
        ('title = "Double it"', "", "exercise.toml lacks “title”."),
        ("minutes = 5", "minutes = '5'", "“minutes” must be a whole number from 1 to 600."),
        ("minutes = 5", "minutes = true", "“minutes” must be a whole number"),
        ("minutes = 5", "minutes = 5\nauthor = 'x'", "exercise.toml has an unknown key “author”."),
        ('"numpy"', '"jax"', "“framework” must be “numpy” or “torch”."),
        ('slug = "double"', 'slug = "Double It"', "“slug” must be at most 50 lower-case letters"),
        ("[[entry]]", "[entry]", "exercise.toml lists no [[entry]]."),
        ("[[entry]]", "[limits]\ncpu_seconds = 90\n[[entry]]", "“cpu_seconds” must be a number from 0.05 to 60."),
        ("[[entry]]", "[limits]\ncpu_seconds = 30\n[[entry]]", "total_cpu_seconds is less than cpu_seconds"),
        ("minutes = 5", "minutes = 5\nafter = ['Soft max']", "“after” must be a list of slugs"),
        ("minutes = 5", "minutes = 5\nafter = ['double']", "“after” names the exercise itself."),
        ("minutes = 5", "minutes = 5\ndtypes = ['float16']", "“dtypes” must be a list of “float32” and “float64”"),
        ("minutes = 5", "minutes = 5\nrtol = nan", "“rtol” must be a number from 0 to 1."),
        ("minutes = 5", "minutes = 5\nforbidden = ['soft']", "“forbidden” must be a list of dotted names"),
        ("double(x)", "double(x", "The signature “double(x” of the entry “double” cannot be read."),
        ("minutes = 5", "minutes = ", "exercise.toml is not TOML"),
    ],
)
def test_what_is_wrong_with_the_specification_is_told(old: str, new: str, told: str) -> None:
    assert old in TOML
    assert told in problems({"exercise.toml": TOML.replace(old, new, 1)})


def test_all_problems_are_told_at_once() -> None:
    told = problems({"prompt.md": None, "starter.py": "", "extra": "x"})
    assert told.count("\n") == 2


def test_a_class_may_leave_its_constructor_to_a_base() -> None:
    toml = TOML.replace('kind = "function"', 'kind = "class"').replace("double(x)", "double(width)")
    source = "class Base:\n    def __init__(self, width): ...\nclass double(Base): ...\n"
    from_files(made({"exercise.toml": toml, "starter.py": source, "reference.py": source}))


def test_a_folder_is_read_without_what_tools_leave_behind(tmp_path: Path) -> None:
    folder = tmp_path / "double"
    for path, content in {**FILES, "__pycache__/x.pyc": "x", ".git/x": "x", "mistakes/.swp": "x"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    assert read_folder(folder).digest == from_files(made({})).digest


def test_a_folder_must_have_the_name_of_its_slug(tmp_path: Path) -> None:
    folder = tmp_path / "triple"
    for path, content in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    with pytest.raises(PackageError, match="The folder is called triple, but exercise.toml says slug = “double”"):
        read_folder(folder)


@pytest.mark.parametrize("slug", slugs())
def test_every_exercise_of_the_repository_can_be_read(slug: str) -> None:
    package = by_slug(slug)
    assert package.digest == read_folder(PACKAGES / slug).digest
    assert len(package.mistakes) >= 5
    assert package.spec.sources


def test_an_unknown_slug_lists_the_known_ones() -> None:
    with pytest.raises(PackageError, match="There is no exercise “juggling”.*positional-encoding"):
        by_slug("juggling")


def test_results_of_a_class_have_the_dtype_that_the_statement_says() -> None:
    toml = TOML.replace("minutes = 5", "minutes = 5\ndtypes = ['float32']").replace('"function"', '"class"')
    assert "has “dtypes” and a class" in problems({"exercise.toml": toml})


def test_equivalents_are_read_where_there_are_any() -> None:
    assert from_files(made({})).equivalents == ()
    found = from_files(made({"equivalents.toml": "[measured]\nconstant-1-2-3-plus = 'Same.'\n"})).equivalents
    assert [(one.mutant, one.reason, one.proved) for one in found] == [("constant-1-2-3-plus", "Same.", False)]


def test_a_prerequisite_must_be_an_exercise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exercises.package.PACKAGES", tmp_path)
    for path, content in made({"exercise.toml": TOML.replace("minutes = 5", "minutes = 5\nafter = ['halve']")}).items():
        (tmp_path / "double" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "double" / path).write_bytes(content)
    with pytest.raises(PackageError, match="double comes after halve, which no folder holds"):
        by_slug("double")
