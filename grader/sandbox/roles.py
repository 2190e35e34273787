"""Becoming the checker or the learner: in the fork itself, or (to measure a cold start) in a fresh interpreter."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from typing import Any

from grader.sandbox.confine import Confinement, Layers

# The checker's two descriptors; a learner has the first alone.
CHANNEL_FD = 3
COMMANDS_FD = 4
FLAGS = ("-s", "-P", "-B", "-X", "utf8")  # of every interpreter: no user site, no cwd, no bytecode written
_START = "import sys; sys.path.insert(0, sys.argv[1]); from grader.sandbox.roles import cold; cold(sys.argv[2])"


def run_checker(plan: Confinement, parent: int, code: str = "") -> None:
    if code:
        _execute("checker", plan, parent, 0, code)
    from grader.checker.main import main

    main(plan, parent)


def run_learner(plan: Confinement, parent: int, reply_cap: int, code: str = "") -> None:
    if code:
        _execute("learner", plan, parent, reply_cap, code)
    from grader.sandbox.learner import main

    main(plan, parent, reply_cap)


def cold(argument: str) -> None:
    """Run in the fresh interpreter: rebuild the plan, then go on as the fork would."""
    facts: dict[str, Any] = json.loads(argument)
    plan = Confinement(**{**facts["plan"], "layers": Layers(**facts["plan"]["layers"])})
    if facts["role"] == "checker":
        run_checker(plan, facts["parent"])
    else:
        run_learner(plan, facts["parent"], facts["reply_cap"])


def _execute(role: str, plan: Confinement, parent: int, reply_cap: int, code: str) -> None:
    facts = json.dumps({"role": role, "plan": asdict(plan), "parent": parent, "reply_cap": reply_cap})
    arguments = [sys.executable, *FLAGS, "-c", _START, code, facts]
    os.execve(sys.executable, arguments, dict(os.environ))
