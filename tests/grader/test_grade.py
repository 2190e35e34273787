"""The command for authors, with the real sandbox and the exercises that come with the repository."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from exercises.package import PACKAGES, by_slug
from grader.management.commands import grade

SLUG = "positional-encoding"
REFERENCE, STARTER = (str(PACKAGES / SLUG / name) for name in ("reference.py", "starter.py"))
KEYS = {
    "exercise", "digest", "file", "verdict", "score", "max_score", "tests", "mistake", "mistakes",
    "stdout", "stderr", "seed", "seconds", "sandbox_level",
}  # fmt: skip
BAD = {
    "syntax.py": (b"def positional_encoding(:\n", "line 1"),
    "empty.py": (b"", "empty"),
    "huge.py": (b"#" * (2 << 20), "256 KB"),
    "missing.py": (b"x = 1\n", "positional_encoding"),
    "nul.py": (b"x = 1\0", "NUL"),
    "latin.py": (b"x = '\xff'", "UTF-8"),
}


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_accepted_files_are_one_json_object_a_line_and_exit_0(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("grade", SLUG, REFERENCE, REFERENCE, "--json", "--seed", "7")
    first, second = lines(capsys.readouterr().out)
    assert set(first) == KEYS
    assert set(first["seconds"]) == {"queue", "start", "run", "total"}
    assert {"name", "title", "sample", "points", "outcome", "message", "seconds"} == set(first["tests"][0])
    assert (first["exercise"], first["digest"], first["file"]) == (SLUG, by_slug(SLUG).digest, REFERENCE)
    assert (first["verdict"], first["mistake"], first["seed"]) == ("accepted", None, 7)
    assert first["score"] == first["max_score"] == sum(test["points"] for test in first["tests"])
    assert first["sandbox_level"] in "ABCD"
    for timed in (first, second):
        del timed["seconds"]
        for test in timed["tests"]:
            del test["seconds"]
    assert first == second


def test_a_file_that_is_not_accepted_makes_it_exit_1_after_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    mistake = str(PACKAGES / SLUG / "mistakes" / "only-sines.py")
    with pytest.raises(SystemExit) as exit_status:
        call_command("grade", SLUG, mistake, REFERENCE, "--json")
    assert exit_status.value.code == 1
    wrong, right = lines(capsys.readouterr().out)
    assert (wrong["verdict"], right["verdict"]) == ("wrong_answer", "accepted")
    assert wrong["mistake"]["slug"] == "only-sines"
    assert wrong["mistake"]["hint"]
    assert wrong["seed"] == right["seed"]


def test_files_that_cannot_be_judged_are_told_why_and_the_rest_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, (content, _) in BAD.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SystemExit) as exit_status:
        call_command("grade", SLUG, *(str(tmp_path / name) for name in BAD), REFERENCE, "--json")
    assert exit_status.value.code == 1
    *bad, good = lines(capsys.readouterr().out)
    assert good["verdict"] == "accepted"
    for found, (name, (_, advice)) in zip(bad, BAD.items(), strict=True):
        assert (Path(found["file"]).name, found["verdict"]) == (name, "invalid_submission")
        assert set(found) == KEYS
        assert advice in found["stderr"]
        assert (found["score"], found["max_score"]) == (0, good["max_score"])


def test_without_json_it_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("grade", SLUG, STARTER, "--seed", "7")
    table = capsys.readouterr().out
    assert table.startswith(f"{STARTER}: wrong_answer, ")
    assert "test_example_of_the_statement: Positions 0 and 1, 8 wide" in table
    assert "expected 1, got 0" in table


def test_what_a_learner_wrote_cannot_move_the_cursor_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rude.py"
    file.write_text(
        "def positional_encoding(n, d):\n"
        "    raise ValueError('\\x1b[2J\\x1b]0;title\\x07 \\x9b31m \\u202e back\\rup\\n'\n"
        "                     'passed  9  0.1 s  test_it: forged')\n"
    )
    with pytest.raises(SystemExit):
        call_command("grade", SLUG, str(file), "--seed", "7")
    table = capsys.readouterr().out
    assert all(sign.isprintable() or sign == "\n" for sign in table)
    assert "\\x1b[2J" in table
    assert not any(line.strip().startswith("passed") and not line.startswith(" " * 20) for line in table.splitlines())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-exercise", REFERENCE], "There is no exercise “no-such-exercise”."),
        (["../positional-encoding", REFERENCE], "There is no exercise"),
        ([SLUG, "no-such-file.py"], "no-such-file.py cannot be read"),
        ([SLUG, REFERENCE, str(PACKAGES)], "cannot be read"),
        ([SLUG], "FILE"),
        ([SLUG, REFERENCE, "--seed", "-1"], "seed"),
        ([SLUG, REFERENCE, "--seed", "x"], "seed"),
        ([SLUG, REFERENCE, "--seed", str(2**31)], "seed"),
    ],
)
def test_wrong_usage_is_one_sentence_and_judges_nothing(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match=sentence) as refusal:
        call_command("grade", *arguments)
    assert refusal.value.returncode == 2 or "Error:" in str(refusal.value)
    assert capsys.readouterr().out == ""


def test_the_table_of_a_file_that_cannot_be_loaded_is_its_message_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing.py"
    file.write_bytes(b"x = 1\n")
    with pytest.raises(SystemExit):
        call_command("grade", SLUG, str(file), "--seed", "7")
    first, message = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{file}: invalid_submission, 0 of ")
    assert "does not define the function `positional_encoding`" in message


def test_every_reference_in_one_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(grade, "slugs", lambda: [SLUG, "softmax"])
    call_command("grade", "--references", "--json")
    assert [(line["exercise"], line["verdict"]) for line in lines(capsys.readouterr().out)] == [
        (SLUG, "accepted"),
        ("softmax", "accepted"),
    ]


@pytest.mark.parametrize("arguments", [[], [SLUG], [SLUG, REFERENCE, "--references"], [SLUG, "--references"]])
def test_files_or_references(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="the FILEs to judge, or --references alone") as refused:
        call_command("grade", *arguments)
    assert refused.value.returncode == 2
