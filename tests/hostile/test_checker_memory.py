"""What a learner sends makes the checker take no more than a small multiple of it."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

from exercises.package import by_slug
from grader.judge import judge
from grader.report import Verdict
from grader.sandbox import Sandbox

MB = 1024
MANY_BYTES = "import numpy as np\ndef softmax(x, axis):\n    return np.{}((16 << 20) - 4096, np.int8)\n"


class Peak:
    """The most memory that any process of a sandbox ever had resident, in kB, looked at while a block runs."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._zygote, self._over, self.kilobytes = sandbox.zygote_pid, threading.Event(), 0
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.005):
            for process in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError, IndexError, ValueError):
                    if int((process / "stat").read_text().rpartition(")")[2].split()[3]) == self._zygote:
                        text = (process / "status").read_text()
                        self.kilobytes = max(self.kilobytes, int(text.partition("VmHWM:")[2].split()[0]))


def test_a_large_answer_where_a_small_one_is_asked_for_costs_the_checker_little() -> None:
    package = by_slug("softmax")
    with Sandbox() as sandbox:
        with Peak(sandbox) as honest:
            assert judge(package, package.reference, seed=0, sandbox=sandbox).accepted
        with Peak(sandbox) as hostile:
            report = judge(package, MANY_BYTES.format("zeros"), seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert {test.outcome.value for test in report.tests} <= {"wrong_answer", "runtime_error", "passed", "output_limit"}
    assert honest.kilobytes > 50 * MB
    assert hostile.kilobytes < honest.kilobytes + 256 * MB
