"""What session 20 says in numbers, computed anew; its paths, masks and quiz against the exercises."""

from __future__ import annotations

import ast
import math
import re
import tomllib
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from courses import markdown, sinusoidal
from courses.content_loading import CONTENT
from exercises.testkit.solution import Solution
from tests.exercises.local import SLUGS, cases, package, problems

FOLDER = CONTENT / "generative-ai"
LESSON = (FOLDER / "session-20.md").read_text("utf-8")
FLAT = " ".join(LESSON.split())
EXERCISES = tomllib.loads((FOLDER / "course.toml").read_text("utf-8"))["modules"][0]["lessons"][0]["exercises"]
QUESTIONS = tomllib.loads((FOLDER / "session-20-quiz.toml").read_text("utf-8"))["questions"]
ENTRIES: dict[str, Callable[[float], float]] = {
    r"\cos b": math.cos,
    r"\sin b": math.sin,
    r"-\sin b": lambda b: -math.sin(b),
}
WHICH_COLUMN = {"x_{2i}": 0, "x_{2i+1}": 1}


def matrices(text: str) -> list[list[list[str]]]:
    """Every matrix that is printed in the text, as rows of entries."""
    bodies = re.findall(r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", text, re.DOTALL)
    return [[[entry.strip() for entry in row.split("&")] for row in body.split(r"\\")] for body in bodies]


def rotation(b: float) -> np.ndarray:
    """R_b as the lesson prints it."""
    formula = re.search(r"^R_b = (.*)$", LESSON, re.MULTILINE)
    assert formula is not None
    (printed,) = matrices(formula[1])
    return np.array([[ENTRIES[entry](b) for entry in row] for row in printed])


def hand(position: int, pair: int) -> np.ndarray:
    """The tip as the demonstration draws it, in the order in which the lesson prints it: right, then up."""
    return np.array([sinusoidal.value(position, 2 * pair + 1), sinusoidal.value(position, 2 * pair)])


def stated_rotation(phi: float) -> np.ndarray:
    """What the exercise on RoPE prints as two equations: its matrix for the columns 2i and 2i + 1."""
    found = np.zeros((2, 2))
    term = re.compile(r"([-+]?) ?(x_\{2i(?:\+1)?\}) \\(cos|sin)\\varphi_i")
    equations = re.findall(r"^y_\{2i(?:\+1)?\} = (.*)$", package("rope").prompt, re.MULTILINE)
    for row, equation in zip(found, equations, strict=True):
        for sign, column, wave in term.findall(equation):
            row[WHICH_COLUMN[column]] = (-1 if sign == "-" else 1) * getattr(math, wave)(phi)
    return found


def test_hands_start_at_three_and_run_anticlockwise() -> None:
    assert "starts at three o'clock and runs anticlockwise" in FLAT
    assert matrices(LESSON)[:2] == [[[r"\cos(a + b)"], [r"\sin(a + b)"]], [[r"\cos a"], [r"\sin a"]]]
    for pair in (0, 1, 255):
        np.testing.assert_allclose(hand(0, pair), [1, 0])
        assert hand(1, pair)[1] > 0


@pytest.mark.parametrize("pair", [0, 1, 100, 255])
@pytest.mark.parametrize("step", [1, 3, 40])
def test_the_printed_rotation_moves_the_hands_of_the_demonstration(pair: int, step: int) -> None:
    b = step / 10_000 ** (2 * pair / sinusoidal.D_MODEL)
    for place in (0, 1, 9):
        np.testing.assert_allclose(rotation(b) @ hand(place, pair), hand(place + step, pair), atol=1e-12)


def test_the_exercise_turns_its_columns_by_the_printed_rotation() -> None:
    """The same direction and the same layout: the columns 2i and 2i + 1 are right and up."""
    namespace: dict[str, Any] = {}
    exec(package("rope").reference, namespace)
    positions = torch.tensor([0, 1, 2, 7, 50])
    x = torch.from_numpy(np.random.default_rng(1).normal(size=(5, 8)))
    found = namespace["apply_rope"](x, positions, 10_000.0).numpy()
    for row, position in enumerate(positions.tolist()):
        for pair in range(4):
            phi, columns = position * 10_000 ** (-2 * pair / 8), slice(2 * pair, 2 * pair + 2)
            np.testing.assert_allclose(found[row, columns], rotation(phi) @ x[row, columns].numpy(), atol=1e-5)
            np.testing.assert_allclose(stated_rotation(phi), rotation(phi), atol=1e-12)


def test_scores_see_only_the_distance() -> None:
    q, k = np.random.default_rng(2).normal(size=(2, 2))
    m, n, theta = 11, 4, 0.3
    assert rotation(m * theta) @ q @ (rotation(n * theta) @ k) == pytest.approx(rotation((m - n) * theta) @ q @ k)


def test_numbers_of_the_clocks() -> None:
    row = np.array([sinusoidal.value(7, dimension) for dimension in range(512)])
    assert "vector of length 16" in FLAT
    assert np.linalg.norm(row) == pytest.approx(16)
    assert "a scaled embedding is about 22.6 long" in FLAT  # whose entries are of order 1
    assert math.sqrt(512) == pytest.approx(22.6, abs=0.05)
    turn = 2 * math.pi
    assert "the last of the 256 hands needs some 60,000 positions" in FLAT
    assert turn * 10_000 ** (510 / 512) == pytest.approx(60_611, abs=1)
    assert "after 44 it is only 0.02 radians off" in FLAT
    off = [abs(position - turn * round(position / turn)) for position in range(1, 50)]
    assert off.index(min(off)) + 1 == 44
    assert round(min(off), 2) == 0.02
    # The demonstration's eight dimensions, spread out: 0, 1, 170, 171, 340, 341, 510, 511.
    assert "the second hand shown needs 134 positions for a turn" in FLAT
    assert round(turn * 10_000 ** (170 / 512)) == 134
    assert sinusoidal.rates() == ["1", "0.965", "0.931", "0.898"]


def test_the_code_is_folded_away_and_right() -> None:
    code = re.search(r"^```python ([^\n]+)\n(.*?)^```$", LESSON, re.MULTILINE | re.DOTALL)
    assert code is not None
    assert code[1].startswith("After you have tried")
    namespace: dict[str, Any] = {}
    exec(code[2], namespace)
    reference: dict[str, Any] = {}
    exec(package("positional-encoding").reference, reference)
    found = namespace["positional_encoding"](50, 512)
    np.testing.assert_allclose(found, reference["positional_encoding"](50, 512), atol=1e-12)
    assert str(found.shape) in LESSON
    assert repr(found[1, :4].round(3)) in LESSON
    html = markdown.render(LESSON).html
    assert html.count("<summary>After you have tried: the code</summary><pre") == 1
    assert html.index("<details>") < html.index("positional_encoding")


class Translator:
    """The trained model in the reference's code, which may be changed first."""

    def __init__(self, old: str = "", new: str = "") -> None:
        exercise = package("translator")
        assert old in exercise.reference
        tests = types.ModuleType("tests")
        exec(compile(exercise.tests, "tests.py", "exec"), tests.__dict__)
        self.book = tests.__dict__["Book"](exercise.assets)
        self.solution = Solution.local(exercise.reference.replace(old, new), support=exercise.support)

    def translate(self, sentences: list[str]) -> list[str]:
        return [self.book.text(tokens) for tokens in self.book.translations(self.solution, sentences)]

    def right(self) -> int:
        """How many of the held-out sentences it translates exactly."""
        english, hindi = zip(*self.book.held_out, strict=True)
        return sum(found == right for found, right in zip(self.translate(list(english)), hindi, strict=True))


def numbered_from(first: int) -> Translator:
    shifted = f"positional_encoding(x.shape[1] + {first}, x.shape[2])[{first}:]"
    return Translator("positional_encoding(*x.shape[1:])", shifted)


def test_the_translator_knows_its_positions_by_heart() -> None:
    assert "from 1 instead of 0, and it still gets all of its 95 held-out sentences right" in FLAT
    assert "number them from 4, and it gets 27" in FLAT
    assert len(Translator().book.held_out) == 95
    assert [numbered_from(first).right() for first in (1, 4)] == [95, 27]


def test_the_quiz_predicts_what_the_translator_does() -> None:
    two = ["dog bites man", "man bites dog"]
    assert all(f"*{sentence}*" in QUESTIONS[0]["text"] for sentence in two)
    assert QUESTIONS[0]["options"][0]["text"].startswith("The same sentence twice")
    without = Translator("x = self._embed(source)", "x = self.embedding(source) * self.embedding.embedding_dim**0.5")
    assert len(set(Translator().translate(two))) == 2
    assert len(set(without.translate(two))) == 1


def test_the_words_of_the_translator_are_counted_without_its_special_tokens() -> None:
    words = Translator().book.words
    assert (len(words), [word for word in words if word.startswith("<")]) == (145, ["<pad>", "<start>", "<end>"])
    assert "knows 142 words" in FLAT
    assert "| words and special tokens | 142 + 3 | 37,000 |" in package("translator").prompt


def minutes(path: str) -> int:
    return sum(package(one["slug"]).spec.minutes for one in EXERCISES if one["part"].startswith(path))


def test_every_exercise_is_on_one_of_two_paths_which_take_as_long_as_the_lesson_says() -> None:
    assert {one["slug"] for one in EXERCISES} == set(SLUGS)
    assert {one["part"].partition(":")[0] for one in EXERCISES} == {"Main path", "Side path"}
    assert "**main path** takes about seven hours" in FLAT
    assert round(minutes("Main path") / 60) == 7
    assert "**side path** takes less than three" in FLAT
    assert 150 < minutes("Side path") < 180


def test_exercises_come_after_what_they_build_on_and_nothing_on_the_main_path_needs_the_side_path() -> None:
    part_of = {one["slug"]: one["part"].partition(":")[0] for one in EXERCISES}
    order = list(part_of)
    for slug in order:
        for before in package(slug).spec.after:
            assert order.index(before) < order.index(slug)
            assert part_of[slug] == "Side path" or part_of[before] == "Main path"


def test_the_first_exercise_in_torch_is_an_easy_one() -> None:
    first = next(one["slug"] for one in EXERCISES if package(one["slug"]).spec.framework == "torch")
    assert first == "feed-forward"
    assert package(first).spec.level == "beginner"


def test_only_the_last_exercise_of_the_side_path_is_optional() -> None:
    assert "Its last exercise is optional" in FLAT
    assert [one["slug"] for one in EXERCISES if one.get("weight") == 0] == [EXERCISES[-1]["slug"]] == ["rope-scaling"]


def axes(shape: str) -> str:
    """(batch, 1, n_queries, n_keys) → (batch, 1, n, n)."""
    return re.sub(r"\bn_\w+", "n", shape)


def test_the_table_of_masks_is_what_the_statements_say() -> None:
    table = LESSON.partition("## Masks in the exercises")[2].partition("## References")[0]
    printed = re.findall(r"^\| `(.+?)` \| (.+?) \|", table, re.MULTILINE)
    rows = [(shape, re.findall(r"#exercise-([\w-]+)", where)) for shape, where in printed]
    shapes = ["(1, n)", "(batch, 1, n)", "(batch, 1, 1, n)", "(batch, n)", "(batch, 1, n, n)"]
    assert [shape for shape, _ in rows] == shapes
    for shape, where in rows:
        assert where
        for slug in where:
            assert f"`{shape}`" in axes(package(slug).prompt), (slug, shape)
    told = {slug for _, where in rows for slug in where}
    assert told == {slug for slug in SLUGS if "**boolean**" in package(slug).prompt}


def test_the_statement_of_the_causal_mask_shows_each_shape_of_mask() -> None:
    rows = re.findall(r"^\| `(\(.*\))` \| `\(.*\)` \| `(\[.*\])` \|$", package("causal-mask").prompt, re.MULTILINE)
    shapes = [re.sub("batch", str(2), re.sub(r"\bn\b", "3", shape)) for shape, _ in rows]
    assert [np.array(ast.literal_eval(mask)).shape for _, mask in rows] == [ast.literal_eval(shape) for shape in shapes]
    assert len(rows) == 3


def test_most_starters_earn_some_points_as_the_page_of_an_exercise_says() -> None:
    earning = [slug for slug in SLUGS if points(slug)]
    assert len(SLUGS) / 2 < len(earning) < len(SLUGS)


def points(slug: str) -> int:
    found = problems(slug, package(slug).starter)
    return sum(case.points for case in cases(slug) if found[case.name] is None)
