"""Loading a program into a learner's process: once for each process, as Python does at home."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from exercises.families import is_inside
from exercises.testkit.collect import LOADING, seed_for
from exercises.testkit.solution import InvalidSource, LearnerError, MalformedReply, ReplyTooLarge, Solution
from exercises.visible import clean
from grader import wording
from grader.checker.job import Job
from grader.checker.remote import RemoteLearner, Stopped, learner_failure
from grader.report import Outcome


class NotLoaded(Exception):
    """The file cannot be read, or did not run to its end. The message is for the learner.

    `outcome` is `INVALID_SUBMISSION` for a file that cannot be used at all, else how running it ended.
    """

    def __init__(self, outcome: Outcome, message: str, details: Mapping[str, Any] = MappingProxyType({})) -> None:
        super().__init__(message)
        self.outcome, self.details = outcome, details


def begin_test(learner: RemoteLearner, solution: Solution, job: Job, source: str, test: str) -> None:
    """Begin a test on `source`, which is loaded first unless the learner's present process holds it already.

    `solution` speaks to `learner`. Raise `NotLoaded`, or what stops a learner in a test.
    """
    if learner.program != source:
        _load(learner, solution, job, source)
    solution.begin(seed_for(job.seed, test))


def _load(learner: RemoteLearner, solution: Solution, job: Job, source: str) -> None:
    """All loads of a submission share one budget of time and of output; what they print is known once init is asked."""
    try:
        with learner.loading():
            solution.load_source(
                source,
                seed=seed_for(job.seed, LOADING),
                entries=job.entries,
                forbidden=job.forbidden,
                support=job.support,
            )
    except InvalidSource as error:
        raise NotLoaded(Outcome.INVALID_SUBMISSION, _invalid_sentence(error)) from None
    except Stopped as stopped:
        raise NotLoaded(stopped.outcome, _could_not_load(stopped.message)) from None
    except LearnerError as error:
        outcome, message = learner_failure(error, job)
        details = {"exception": error.type_name, "traceback": error.traceback_text, "line": error.line}
        raise NotLoaded(outcome, _could_not_load(message), details) from None
    except (ReplyTooLarge, MalformedReply):
        learner.stop()
        raise NotLoaded(Outcome.RUNTIME_ERROR, wording.PROTOCOL) from None
    learner.program = source


def _could_not_load(why: str) -> str:
    return wording.COULD_NOT_LOAD.format(why=why if why.endswith((".", "?", "!")) else f"{why}.")


def _invalid_sentence(error: InvalidSource) -> str:
    facts = {key: clean(str(value), 300) for key, value in error.facts.items()}
    if error.why == "invisible":
        return wording.INVISIBLE.format(**{name: facts.get(name, "?") for name in ("line", "name", "column")})
    if error.why == "syntax":
        message = facts.get("message", "")
        end = "" if message.endswith((".", "?", "!")) else "."
        version = "{}.{}".format(*sys.version_info)
        return wording.SYNTAX.format(version=version, line=facts.get("line", "?"), message=f"{message}{end}")
    if error.why == "forbidden":
        sentence = wording.INSIDES if is_inside(facts.get("name", "")) else wording.FORBIDDEN
        return sentence.format(line=facts.get("line", "?"), name=facts.get("name", ""))
    if error.why == "missing":
        sentence = wording.MISSING_CLASS if facts.get("kind") == "class" else wording.MISSING_FUNCTION
        return sentence.format(name=facts.get("name", ""), signature=facts.get("signature", ""))
    return wording.TOO_DEEP
