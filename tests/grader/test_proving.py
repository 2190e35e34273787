"""Proving small exercises in the real sandbox: each way in which an exercise can be unsound is one told problem."""

from __future__ import annotations

import pytest

from exercises.package import Package, from_files
from grader.proving import FAST, FULL, ProofReport, prove
from grader.proving.example import shown_decimals
from grader.proving.mutants import MutantFindings
from grader.proving.wording import table
from grader.sandbox import Sandbox
from tests.grader.small import FILES

SOUND = {
    **FILES,
    "prompt.md": "Return twice `x`.\n\n## Example\n\n| x | 1.5 |\n| --- | --- |\n| result | 3.0 |\n",
    "tests.py": (
        "import numpy as np\n"
        "from exercises.testkit import close, sample\n"
        "@sample\n"
        "def test_example(solution):\n"
        "    '''The example.'''\n"
        "    close(solution.double(np.array([1.5])), np.array([3.0]))\n"
        "def test_any(solution, rng):\n"
        "    '''Any number.'''\n"
        "    for x in rng.uniform(1.0, 9.0, (3, 70)):\n"
        "        close(solution.double(x), x + x)\n"
    ),
}
MISTAKE = "'''You add one.\n\nDouble it.'''\ndef double(x):\n    return x + 1.0\n"
WEAK = SOUND["tests.py"].replace("x + x)", "x + x, atol=100.0)").replace("[3.0]))", "[3.0]), atol=100.0)")

EXHIBIT = "    from exercises.testkit import exhibit\n    exhibit('T', list, rows=['r'], columns=['c'], caption='C')\n"
SHOWN = (
    "'''The example.'''\n"
    "    exhibit('T', lambda: solution.double(np.ones((1, 1))), rows=['r'], columns=['c', 'd'], caption='C')\n"
)


def an_exercise(**changed: str) -> Package:
    """The sound one; `tests="…"` replaces tests.py, `toml=` and `prompt=` likewise, `mistake=` adds one."""
    names = {"toml": "exercise.toml", "prompt": "prompt.md", "mistake": "mistakes/other.py"}
    names |= {name: f"{name}.py" for name in ("tests", "starter", "reference")} | {"equivalents": "equivalents.toml"}
    names["spelling"] = "mistakes/square.other.py"
    files = {**SOUND, **{names[name]: text for name, text in changed.items()}}
    return from_files({path: text.encode() for path, text in files.items()})


def test_a_sound_exercise_is_proven(sandbox: Sandbox) -> None:
    report = prove(an_exercise(), sandbox)
    assert report.problems == ()
    assert (report.slug, report.mistakes, report.seeds) == ("double", 1, tuple(range(20)))
    mutation = report.mutation
    assert (mutation.mutants, mutation.killed, mutation.equivalent, mutation.score) == (10, 10, 0, 1.0)
    assert report.slowest in ("test_example", "test_any")
    assert report.confusion == {"square": {"square": 3}}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"reference": "def double(x):\n    return 3 * x\n"}, "The reference is not accepted: "),
        ({"starter": "def double(x):\n    return x + x\n"}, "The starter is accepted."),
        (
            {"mistake": "'''No.\n\nNo.'''\ndef d(x): ...\n"},
            "The mistake other cannot be submitted",
        ),
        (
            {"mistake": "'''You add.\n\nDouble it.'''\ndef double(x):\n    return x + x\n"},
            "The mistake other is accepted (seed 0).",
        ),
        (
            {"mistake": "'''You square, too.\n\nDouble it.'''\ndef double(x):\n    return x**2\n"},
            "The mistake other is rejected but",
        ),
        (
            {"tests": SOUND["tests.py"] + EXHIBIT},
            "test_any: It exhibits something, but it is hidden",
        ),
        (
            {
                "tests": SOUND["tests.py"]
                .replace("sample\n", "exhibit, sample\n", 1)
                .replace("'''The example.'''\n", SHOWN)
            },
            "test_example: “T” has no grid: ValueError: its shape should be (1, 2), but is (1, 1).",
        ),
        ({"prompt": "Return twice `x`."}, "prompt.md has no section “Example”."),
        ({"prompt": SOUND["prompt.md"].replace("3.0", "3.1")}, "The example of prompt.md shows 3.1, which no sample"),
        ({"tests": SOUND["tests.py"].replace("@sample\n", "")}, "No test is marked @sample."),
        (
            {"equivalents": "[measured]\nname-1-2-3-next = 'Same.'\n"},
            "equivalents.toml records name-1-2-3-next, and there",
        ),
    ],
)
def test_each_way_of_being_unsound_is_told(sandbox: Sandbox, changed: dict[str, str], problem: str) -> None:
    report = prove(an_exercise(**changed), sandbox, extent=FULL if "equivalents" in changed else FAST)
    assert not report.ok
    assert any(told.startswith(problem) for told in report.problems), report.problems


def test_weak_tests_let_mutants_survive(sandbox: Sandbox) -> None:
    report = prove(an_exercise(tests=WEAK), sandbox)
    mutation = report.mutation
    assert mutation.score is not None
    assert mutation.score < 0.95
    assert len(mutation.survivors) == mutation.mutants - mutation.killed > 0
    for survivor in mutation.survivors:
        assert any(problem.startswith(f"{survivor}: is accepted.") for problem in report.problems)


def test_a_result_may_be_allowed_in_a_width_that_the_tests_reject(sandbox: Sandbox) -> None:
    toml = FILES["exercise.toml"].replace("minutes = 1", "minutes = 1\ndtypes = ['float32', 'float64']")
    assert prove(an_exercise(toml=toml), sandbox, extent=FAST).ok
    narrow = SOUND["tests.py"].replace("x + x)", "x + x, dtypes=('float64',))")
    problems = prove(an_exercise(toml=toml, tests=narrow), sandbox, extent=FAST).problems
    assert [problem.split(" under")[0] for problem in problems] == [
        "The reference, computing in float32 is not accepted"
    ]


# A factor of one that does nothing: most slips in it are wrong, and two are not.
ONE = "def double(x):\n    return 2 * x * 1.0\n"
ACCEPTED = "is accepted. Test what it does wrong; or, if it is right, record it in equivalents.toml."


@pytest.mark.parametrize(
    ("equivalents", "problems"),
    [
        ("", [ACCEPTED, ACCEPTED]),
        ("[measured]\narithmetic-2-11-22-left = 'A factor of one.'\n", [ACCEPTED]),
        ("[proved]\narithmetic-2-11-22-left = 'A factor of one.'\n", [ACCEPTED]),
        (
            "[measured]\nconstant-2-19-22-half = 'No.'\n",
            ["records constant-2-19-22-half, but the tests reject it.", ACCEPTED, ACCEPTED],
        ),
    ],
)
def test_what_is_recorded_as_equivalent_is_examined(sandbox: Sandbox, equivalents: str, problems: list[str]) -> None:
    changed = {"equivalents": equivalents} if equivalents else {}
    report = prove(an_exercise(reference=ONE, **changed), sandbox)
    told = [one for one in report.problems if "equivalents.toml" in one]
    assert [problem in one for problem, one in zip(problems, told, strict=True)] == [True] * len(problems)
    assert report.mutation.equivalent == (1 if "left" in equivalents else 0)


def test_an_equivalent_that_answers_otherwise_is_told(sandbox: Sandbox) -> None:
    loose = SOUND["tests.py"].replace("x + x)", "x + x, atol=1.0)").replace("[3.0]))", "[3.0]), atol=1.0)")
    reference = "def double(x):\n    return 2 * x + 0.25\n"
    recorded = "[measured]\nconstant-2-19-23-zero = 'Nearly nothing.'\n"
    problems = prove(an_exercise(reference=reference, tests=loose, equivalents=recorded), sandbox).problems
    assert any("constant-2-19-23-zero, but after 0 calls test_example gives another" in one for one in problems), (
        problems
    )


def test_a_mistake_is_not_named_on_a_mutant_that_only_fails_alike(sandbox: Sandbox) -> None:
    """Both are wrong below zero, which is all that the failing test asks; above it they differ, where nobody looks."""
    reference = "def double(x):\n    return 2 * x if x[0] > 0 else x + x\n"
    tests = (
        SOUND["tests.py"] + "def test_low(solution):\n    close(solution.double(np.array([-2.0])), np.array([-4.0]))\n"
    )
    lax = tests.replace("x + x)", "x + x, atol=1.0)")
    hint = "'''You forget numbers below zero.\n\nDouble them.'''\n"
    mistake = hint + "def double(x):\n    return 2 * x + 0.5 * (x > 2) if x[0] > 0 else x\n"
    report = prove(an_exercise(reference=reference, tests=lax, mistake=mistake), sandbox)
    assert report.mutation.named["other"]["other"] > 0
    assert any("is called the mistake other, which answers test_any otherwise" in one for one in report.problems)


ANSWERS = "[[1.5, 2.5, 3.5, 4.5, 5.5, 6.5], [7.0, 7.5, 8.0, 8.5, 9.0, 9.5]]"
SENDS = {
    "whole": f"solution.double(np.array({ANSWERS}))",
    "as a row": f"solution.double(np.array([[0.0] * 6, {ANSWERS[1:31]}]))",
    "inside a list": f"solution.double(np.array([1.0])); solution.double([0.0, *np.ravel({ANSWERS}), 1.0])",
    "within tolerance": f"solution.double(np.array({ANSWERS}) + 1e-9)",
    "to a constructor": f"solution.Holder(np.array({ANSWERS}))",
}
EXPECTS = f"close(solution.double(np.array({ANSWERS}) / 2), np.array({ANSWERS}))"
HOLDER = "class Holder:\n    def __init__(self, value):\n        self.value = value\n"
LISTS = "import numpy as np\ndef double(x):\n    return 2 * np.asarray(x)\n"


def that_sends(line: str, mark: str = "", expects: str = EXPECTS) -> Package:
    """An exercise whose last test, which bears the mark, sends something before it compares."""
    tests = SOUND["tests.py"].replace("close, sample", "close, public, sample")
    tests += f"{mark}\ndef test_last(solution):\n    '''The last.'''\n    {line}\n    {expects}\n"
    return an_exercise(tests=tests, reference=LISTS + HOLDER)


@pytest.mark.parametrize("line", SENDS.values(), ids=SENDS)
def test_an_answer_that_is_sent_along_is_told(sandbox: Sandbox, line: str) -> None:
    report = prove(that_sends(line), sandbox, extent=FAST)
    assert [problem[:49] for problem in report.problems] == ["test_last: compares with 1.5, 2.5, 3.5, 4.5, 5.5,"]
    assert "which it had sent to the learner itself" in report.problems[0]


@pytest.mark.parametrize(
    ("line", "expects"),
    [
        ("solution.double(np.ones(6))", "close(solution.double(np.ones(6) / 2), np.ones(6))"),
        ("pass", "close(solution.double(np.zeros((2, 3))), np.zeros((2, 3)))"),
        ("pass", EXPECTS),
    ],
    ids=["fewer than six", "its own input", "nothing"],
)
def test_what_is_exempt_is_not_told(sandbox: Sandbox, line: str, expects: str) -> None:
    assert prove(that_sends(line, "", expects), sandbox, extent=FAST).problems == ()


def test_a_reason_is_told_in_the_place_of_the_problem(sandbox: Sandbox) -> None:
    report = prove(that_sends(SENDS["whole"], "@public('It is in the paper.')"), sandbox, extent=FAST)
    assert report.problems == ()
    assert report.public == report.to_json()["public"] == ("test_last: It is in the paper.",)
    assert table(report).splitlines()[1:] == ["     public: test_last: It is in the paper."]


def test_a_reason_for_nothing_is_told(sandbox: Sandbox) -> None:
    report = prove(that_sends("pass", "@public('It is in the paper.')"), sandbox, extent=FAST)
    assert report.problems == (
        "test_last: is marked @public, but nothing that it compares with was sent before. Remove the mark.",
    )
    assert report.public == ()


def test_json_has_what_tools_read() -> None:
    mutation = MutantFindings(mutants=10, killed=8, equivalent=1, survivors=("constant-1-2-3-plus: `1` becomes `2`",))
    report = ProofReport("double", "d" * 64, 3, ("Bad.",), (0,), "full", "test_any", 0.002, mutation)
    found = report.to_json()
    assert {key: found[key] for key in ("slug", "ok", "mutants", "killed", "equivalent", "mutation_score")} == {
        "slug": "double",
        "ok": False,
        "mutants": 10,
        "killed": 8,
        "equivalent": 1,
        "mutation_score": 0.8889,
    }
    assert (found["mistakes"], found["problems"]) == (3, ("Bad.",))
    assert table(report).splitlines()[1:] == ["     Bad."]


def test_people_see_who_is_taken_for_which_mistake() -> None:
    mutation = MutantFindings(mutants=10, killed=10, named={"square": {"same": 4, "other": 1}})
    confusion = {"add": {"add": 2, "": 1}, "square": {"add": 1, "square": 2}}
    report = ProofReport("double", "d" * 64, 0, ("Bad.",), (0,), "full", mutation=mutation, confusion=confusion)
    assert report.to_json()["confusion"] == confusion
    assert table(report).splitlines()[2:] == [
        "     named as                  1   2  none",
        "      1 add                    2   ·     1",
        "      2 square                 1   2     ·",
        "        mutants that are it    ·   4",
        "        mutants that are not   ·   1",
    ]


def test_the_table_or_program_that_the_example_ends_with_is_read() -> None:
    program = "| 0.5 |\n# Example\nAbout 0.7.\n| a | −1.25 | 2 |\n```\n# 0.3\n3.50\n```\n## Notes\n| 0.9 |\n"
    assert shown_decimals(program) == [("0.3", 0.3, 1), ("3.50", 3.5, 2)]
    table = "# Example\n| 0.5 |\n\nThat gives:\n\n| a | −1.25 |\n| b | 2.5 |\n\n| 7 |\n"
    assert shown_decimals(table) == [("−1.25", -1.25, 2), ("2.5", 2.5, 1)]


def test_every_spelling_of_a_mistake_is_tried_unless_it_must_be_fast(sandbox: Sandbox) -> None:
    again = an_exercise(spelling="def double(x):\n    return x ** 2.0\n")
    report = prove(again, sandbox)
    assert report.problems == ()
    assert (report.mistakes, report.confusion) == (1, {"square": {"square": 6}})
    lost = an_exercise(spelling="def double(x):\n    return x + x\n")
    (problem,) = prove(lost, sandbox).problems
    assert problem.startswith("The mistake square.other is accepted")
    assert prove(lost, sandbox, extent=FAST).ok


# A condition that the tests never meet, or that the statement rules out

SHORT = SOUND["tests.py"].replace("(3, 70)", "(3, 2)")
NEVER = "[never]\nlarge = 'Two numbers at most.'\n"


def test_tests_that_never_meet_a_condition_are_told(sandbox: Sandbox) -> None:
    (problem,) = prove(an_exercise(tests=SHORT), sandbox).problems
    assert problem.startswith("behind-large-double: `double` is off by one with more than 64 of anything: is accepted.")


def test_what_the_statement_rules_out_is_no_mutant(sandbox: Sandbox) -> None:
    report = prove(an_exercise(tests=SHORT, equivalents=NEVER), sandbox)
    assert report.problems == ()
    assert (report.mutation.mutants, report.mutation.killed, report.mutation.equivalent) == (9, 9, 0)


@pytest.mark.parametrize("name", ["large", "large-double", "large-other", "small"])
def test_what_is_ruled_out_though_tests_meet_it_is_told(sandbox: Sandbox, name: str) -> None:
    (problem,) = prove(an_exercise(equivalents=f"[never]\n{name} = 'No.'\n"), sandbox).problems
    assert problem.startswith(f"equivalents.toml says that {name} never comes, but tests reject what is wrong there")
