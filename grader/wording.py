"""Every sentence about a verdict that a learner reads. Sentences about values are in `exercises.testkit.failures`."""

from __future__ import annotations

from grader.report import Verdict

TITLES: dict[Verdict, str] = {
    Verdict.ACCEPTED: "Accepted",
    Verdict.WRONG_ANSWER: "Wrong answer",
    Verdict.RUNTIME_ERROR: "Your code raised an error",
    Verdict.TIME_LIMIT: "Time limit exceeded",
    Verdict.MEMORY_LIMIT: "Memory limit exceeded",
    Verdict.OUTPUT_LIMIT: "Output limit exceeded",
    Verdict.INVALID_SUBMISSION: "Not a valid submission",
}

VERDICTS: dict[Verdict, str] = {
    Verdict.ACCEPTED: "Every test passed.",
    Verdict.WRONG_ANSWER: "Your code ran, but what it returned was not what the test “{test}” expects.",
    Verdict.RUNTIME_ERROR: "Your code stopped with an error in the test “{test}”.",
    Verdict.TIME_LIMIT: "Your code took too long in the test “{test}”.",
    Verdict.MEMORY_LIMIT: "Your code asked for more memory than this exercise allows in the test “{test}”.",
    Verdict.OUTPUT_LIMIT: "Your code printed or returned more than this exercise allows in the test “{test}”.",
}  # what is invalid is told why, in one of the sentences below

TIME_LIMIT_CPU = "This took more than {seconds:g} s of processor time. Is there a loop that never ends?"
TIME_LIMIT_ASLEEP = "Your code waited for {seconds:g} s without finishing. Nothing it could wait for exists here."
TIME_LIMIT_TOTAL = "All tests together took more than {seconds:g} s of processor time."
MEMORY_LIMIT = "Your code may add {megabytes} MB; it asked for more. Is an array far larger than it needs to be?"
OUTPUT_LIMIT = "Your code may print {kilobytes} KB in all; it printed more. Remove the print from the loop."
REPLY_LIMIT = "What your code returned is larger than the {megabytes:g} MB that this exercise allows."
REPLY_COUNT = "What your code returned holds more than {count:,} values. Return an array or a tensor instead of lists."
CRASHED = "Your code ended Python itself ({signal}). Very deep recursion can do that."
EXITED = "Your code ended the Python process instead of returning a value. Remove calls such as `sys.exit()`."
ONLY_THESE = "Only numpy, torch and Python's standard library can be imported here."
NOBODY_TYPES = "Nobody can type anything here: leave out `input()`, and use the arguments of your function."
NO_GPU = 'There is no GPU here{place}: leave out `.cuda()` and `device=`, or write `device="cpu"`.'
PROTOCOL = "Your code answered in a way that a return value never does. Only return values count."
TOO_LONG_TO_COMPARE = (
    "What your code returned takes too long to compare. Return plain numbers, arrays or tensors of the size asked for."
)
TOO_LARGE_TO_COMPARE = (
    "What your code returned takes too much memory to compare. Return arrays or tensors of the size that is asked for."
)
NOT_RUN = "Not run: the tests before it used up the time of this submission."
NEVER_ANSWERED = "Not run: two tests in a row ran into their time limit before your code had returned anything."
NOT_LOADED = "Not run: your code could not be loaded."
COULD_NOT_LOAD = "Your file could not be loaded. {why}"
LOADING_TOTAL = "Loading it took more than {seconds:g} s of processor time. Is there work that belongs into a function?"
NO_MORE_LOADS = "Not run: loading your file anew after each test that ended the process used up the time for that."
UNUSABLE = "The test could not use what your code returned ({exception}). Check its kind and its shape."
TOO_DEEP = "Your code is nested too deeply for Python to read."
SYNTAX = "Python {version} cannot read line {line}: {message}"
MISSING_FUNCTION = "Your code does not define the function `{name}`. Name it exactly so: `{signature}`."
MISSING_CLASS = "Your code does not define the class `{name}`. Name it exactly so: `{signature}`."
FORBIDDEN = "Line {line} uses `{name}`, which this exercise asks you to write yourself."
INSIDES = (
    "Line {line} uses `{name}`, one of torch's internals. They hold ready what this exercise asks you to write, so "
    "they are not available here: use torch's documented functions."
)
EMPTY = "The submission is empty. Write your code, then submit again."
NUL_BYTES = "The file contains NUL bytes, so it is not Python text. Save it as plain UTF-8 text."
NOT_UTF8 = "The file is not UTF-8 text. Save it as UTF-8 and submit again."
TOO_LARGE = "The file is larger than {kilobytes} KB. Submit the code alone, without data; clear a notebook's outputs."
NOTEBOOK = (
    "This is a notebook, not a Python file. Save it as one (in Jupyter: File, Save and Export Notebook As, Executable "
    "Script), and submit that."
)
NOTEBOOK_COMMAND = "`get_ipython()` is there in notebooks alone: remove the line."
NO_NETWORK = "There is no network here{place}: whatever your code needs must stand in it."
NO_PROCESSES = (
    "Other processes and threads are not allowed here{place}: leave them out; a `DataLoader` takes `num_workers=0`."
)
NOT_ALLOWED = "Your code may only compute here{place}: no network, no other processes, no files but its own."
NO_INIT = "Call `super().__init__()` first in `__init__`."
INVISIBLE = (
    "Line {line} holds a character that cannot be seen, {name}, at place {column}. Delete it; where a space belongs, "
    "type it anew."
)
HELD = "Grading this submission failed on our side. It is kept, costs you nothing, and we have been told."


def evidence(*, values: int, tests: int, of: int) -> str:
    """By what a mistake was recognised: `values` wrong ones in `tests` of the `of` failed tests that were compared."""
    all_of_them = "the failed test" if of == 1 else f"the {of} failed tests"
    where = all_of_them if tests == of else f"{tests} of {of} failed tests"
    if not values:
        return f"It fails {where} in just this way."
    what = "The one wrong value" if values == 1 else f"All {values:,} wrong values"
    fits = "fits" if values == 1 else "fit"
    return f"{what} in {where} {fits}{'' if tests == of else '; the others fail in another way'}."


def sentence(verdict: Verdict, test: str = "") -> str:
    """The verdict as one sentence; `test` is the title of the first test that failed."""
    return VERDICTS[verdict].format(test=test)
