"""A sandbox stays warm, survives the death of any of its parts, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.checker.job import Findings, Job
from grader.judge import judge
from grader.report import Outcome, Verdict
from grader.sandbox import Cancelled, Order, PlatformFault, Sandbox, SandboxUnavailable, cgroups, slots
from grader.sandbox.cpu import fixed_environment
from grader.sandbox.sandbox import REPOSITORY
from tests.grader.judging import IDENTITY, an_exercise

ROOT = os.geteuid() == 0
as_root = pytest.mark.skipif(not ROOT, reason="only root can change users")
ASLEEP = "import time\ndef f(x):\n    time.sleep(30)\n"
SAMPLES = "\nfrom exercises.testkit import close\n" + "".join(
    f"def test_{number}(solution):\n    close(solution.f({number}.0), {number}.0)\n" for number in range(4)
)


@pytest.fixture(scope="module")
def own_sandbox() -> Iterator[Sandbox]:
    """One that tests may break."""
    with Sandbox() as sandbox:
        yield sandbox


def verdict(sandbox: Sandbox, source: str = IDENTITY) -> Verdict:
    return judge(an_exercise(), source, seed=0, sandbox=sandbox).verdict


def asked_of_learner(sandbox: Sandbox, source: str) -> str:
    """What a learner's `f()` prints."""
    tests = "def test_it(solution):\n    solution.f(0)\n"
    report = judge(an_exercise(tests, output_kb=1000), source, seed=0, sandbox=sandbox)
    assert report.accepted, report.tests
    return report.stdout.strip()


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and parent_of(int(entry.name)) == pid:
            found.append(int(entry.name))
    return sorted(found)


def parent_of(pid: int) -> int:
    """0 when there is no such process, or only its exit status."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 0 if state in "ZX" else int(parent)


def below(pid: int) -> set[int]:
    direct = children(pid)
    return {*direct, *(deeper for child in direct for deeper in below(child))}


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.01)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


# Warm


def test_one_zygote_serves_job_after_job(sandbox: Sandbox) -> None:
    assert verdict(sandbox) is Verdict.ACCEPTED
    first = sandbox.zygote_pid
    assert [verdict(sandbox) for _ in range(3)] == [Verdict.ACCEPTED] * 3
    assert sandbox.zygote_pid == first


def test_a_zygote_is_replaced_after_its_number_of_jobs() -> None:
    with Sandbox(jobs_per_zygote=2) as sandbox:
        pids = []
        for _ in range(4):
            assert verdict(sandbox) is Verdict.ACCEPTED
            pids.append(sandbox.zygote_pid)
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_jobs_do_not_hear_of_each_other(sandbox: Sandbox) -> None:
    mark = "import builtins, numpy\nbuiltins.mark = numpy.mark = 1\ndef f(x): return x\n"
    assert verdict(sandbox, mark) is Verdict.ACCEPTED
    look = "import builtins, numpy\ndef f(x): print(hasattr(builtins, 'mark'), hasattr(numpy, 'mark'))\n"
    assert asked_of_learner(sandbox, look) == "False False"


# Killed


@pytest.mark.parametrize("whom", ["outer", "inner"])
def test_a_zygote_killed_between_jobs_is_replaced(own_sandbox: Sandbox, whom: str) -> None:
    assert verdict(own_sandbox) is Verdict.ACCEPTED
    outer = own_sandbox.zygote_pid
    assert outer is not None
    victim = outer if whom == "outer" else children(outer)[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: parent_of(outer) == 0)
    assert verdict(own_sandbox) is Verdict.ACCEPTED
    assert own_sandbox.zygote_pid != outer


def job_processes(sandbox: Sandbox) -> tuple[int, int, list[int]]:
    """(init, checker, learners) of the running job: init forks the checker first."""
    assert sandbox.zygote_pid is not None
    inner = children(sandbox.zygote_pid)[0]
    init = children(inner)[0]  # the next one stands by
    checker, *learners = children(init)
    return init, checker, learners


@pytest.mark.parametrize("whom", ["zygote", "inner zygote", "init", "checker", "learner"])
def test_whoever_is_killed_within_a_job_it_is_our_fault_and_the_next_job_works(own_sandbox: Sandbox, whom: str) -> None:
    assert verdict(own_sandbox) is Verdict.ACCEPTED
    before = own_sandbox.zygote_pid
    assert before is not None

    def kill(*_: Any) -> None:
        init, checker, learners = job_processes(own_sandbox)
        victims = {
            "zygote": [before],
            "inner zygote": [parent_of(init)],
            "init": [init],
            "checker": [checker],
            "learner": learners,
        }
        for pid in victims[whom]:
            os.kill(pid, signal.SIGKILL)

    source = "import time\ndef f(x):\n    if x > 0: time.sleep(0.3)\n    return x\n"
    with pytest.raises(PlatformFault):
        judge(an_exercise(SAMPLES), source, seed=0, sandbox=own_sandbox, on_progress=kill)
    wait_until(lambda: whom in ("checker", "init", "learner") or not below(before))
    assert verdict(own_sandbox) is Verdict.ACCEPTED


def test_a_learner_cannot_pass_for_one_that_was_killed(sandbox: Sandbox) -> None:
    source = "import signal\ndef f(x):\n    signal.raise_signal(signal.SIGKILL)\n    return x\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.tests[0].details["exception"] == "PermissionError"


def test_a_zygote_that_cannot_start_is_our_fault(own_sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(own_sandbox) is Verdict.ACCEPTED
    assert own_sandbox.zygote_pid is not None
    os.kill(own_sandbox.zygote_pid, signal.SIGKILL)
    outer = own_sandbox.zygote_pid
    wait_until(lambda: parent_of(outer) == 0)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "executable", "/bin/false")
        with pytest.raises(PlatformFault, match="could not start"):
            verdict(own_sandbox)
    assert verdict(own_sandbox) is Verdict.ACCEPTED


# Deadlines


def a_job(source: str, tests: str, seconds: float = 60.0) -> bytes:
    return Job(
        source=source,
        tests=tests,
        reference=IDENTITY,
        support=None,
        assets={},
        mistakes={},
        entries=[],
        forbidden=[],
        rtol=0.0,
        atol=0.0,
        cpu_seconds=seconds,
        total_cpu_seconds=seconds,
        memory_mb=64,
        output_kb=1,
        reply_mb=1.0,
        seed=0,
        sample_only=False,
    ).encode()


def an_order(wall_seconds: float) -> Order:
    return Order(memory_mb=64, output_bytes=1024, reply_bytes=1 << 20, cpu_seconds=60, wall_seconds=wall_seconds)


@pytest.mark.parametrize(
    "source, tests",
    [
        (IDENTITY, "def test_it(solution):\n    while True: pass\n"),
        (IDENTITY, "import time\ntime.sleep(60)\ndef test_it(solution): ...\n"),
        (ASLEEP, "def test_it(solution): solution.f(1)\n"),
    ],
    ids=["author's loop", "author's sleep", "learner's sleep"],
)
def test_nothing_outlasts_the_wall_clock(sandbox: Sandbox, source: str, tests: str) -> None:
    started = time.monotonic()
    with pytest.raises(PlatformFault, match="without a report"):
        sandbox.run(a_job(source, tests), an_order(0.7))
    assert 0.7 <= time.monotonic() - started < 5
    assert verdict(sandbox) is Verdict.ACCEPTED


def test_a_job_that_is_none_is_our_fault(sandbox: Sandbox) -> None:
    with pytest.raises(PlatformFault):
        sandbox.run(b"not a job", an_order(5.0))
    assert verdict(sandbox) is Verdict.ACCEPTED


def test_a_job_reports_in_json_and_says_how_long_it_took_to_start(sandbox: Sandbox) -> None:
    told: list[bytes] = []
    result = sandbox.run(a_job(IDENTITY, "def test_it(solution): solution.f(1)\n"), an_order(20.0), told.append)
    findings = Findings.decode(result.report)
    assert [test["outcome"] for test in findings.tests] == [Outcome.PASSED]
    assert [json.loads(one)["total"] for one in told] == [1]
    assert 0 < result.start_seconds < 20
    assert result.output == {}


# Nothing left


def test_thirty_jobs_leave_no_descriptor_and_no_process(own_sandbox: Sandbox) -> None:
    verdict(own_sandbox)
    own_sandbox.settle()
    before = open_descriptors()
    sources = [IDENTITY, "def f(x): raise ValueError\n", "import os\ndef f(x): os._exit(3)\n", "", "def f(x: ...\n"]
    for number in range(30):
        verdict(own_sandbox, sources[number % len(sources)])
    own_sandbox.settle()
    assert open_descriptors() == before
    assert own_sandbox.zygote_pid is not None
    inner = children(own_sandbox.zygote_pid)[0]
    (standby,) = children(inner)
    wait_until(lambda: len(children(standby)) == 2)
    assert below(own_sandbox.zygote_pid) == {inner, standby, *children(standby)}


def ownerless_groups() -> set[int]:
    """Of slots that no sandbox of any process holds: what killed ones have left behind."""
    held = Path("/proc/net/unix").read_text()
    return {slot for slot in cgroups.leftover_slots() if f"@gradus-slot-{slot}\n" not in held}


def test_closing_leaves_no_process_cgroup_slot_or_descriptor() -> None:
    before, mine, groups = open_descriptors(), below(os.getpid()), ownerless_groups()
    with Sandbox() as sandbox:
        assert verdict(sandbox) is Verdict.ACCEPTED
        sandbox.settle()
        # The zygote and its inner process; init, checker and learner of the job that stands by.
        wait_until(lambda: len(below(os.getpid()) - mine) == 5)
        started = below(os.getpid()) - mine
    wait_until(lambda: not any(parent_of(pid) for pid in started))
    assert open_descriptors() == before
    assert ownerless_groups() <= groups


def test_leaving_within_a_job_ends_the_job(own_sandbox: Sandbox) -> None:
    verdict(own_sandbox)
    seen: set[int] = set()

    class _Leaving(Exception):
        pass

    def leave(*_: Any) -> None:
        seen.update(below(own_sandbox.zygote_pid or 0))
        raise _Leaving

    with pytest.raises(_Leaving):
        judge(an_exercise(SAMPLES), IDENTITY, seed=0, sandbox=own_sandbox, on_progress=leave)
    assert verdict(own_sandbox) is Verdict.ACCEPTED
    own_sandbox.settle()
    wait_until(lambda: len(seen & below(own_sandbox.zygote_pid or 0)) == 1)  # the zygote's inner process


def test_cancelling_ends_the_job_and_begins_no_other() -> None:
    with Sandbox() as sandbox:
        verdict(sandbox)
        seen: set[int] = set()

        def cancel_soon(*_: Any) -> None:
            seen.update(below(sandbox.zygote_pid or 0))
            signal.signal(signal.SIGALRM, lambda *_: sandbox.cancel())
            signal.setitimer(signal.ITIMER_REAL, 0.2)

        source = "import time\ndef f(x):\n    if x > 0: time.sleep(3600)\n    return x\n"
        long = an_exercise(SAMPLES, cpu_seconds=60, total_cpu_seconds=60)
        began = time.monotonic()
        with pytest.raises(Cancelled):
            judge(long, source, seed=0, sandbox=sandbox, on_progress=cancel_soon)
        assert time.monotonic() - began < 10
        wait_until(lambda: not any(parent_of(pid) for pid in seen))
        with pytest.raises(Cancelled):
            verdict(sandbox)


def test_closing_twice_or_unused_is_fine() -> None:
    with Sandbox(light=True) as sandbox:
        sandbox.close()
    sandbox.close()
    assert sandbox.zygote_pid is None


# What gets in


def environment_of(pid: int) -> dict[str, str]:
    parts = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(part.split("=", 1) for part in parts if part)


def test_the_environment_is_exactly_the_fixed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "not for learners")
    with Sandbox() as sandbox:
        told = asked_of_learner(sandbox, "import os, json\ndef f(x): print(json.dumps(dict(os.environ)))\n")
        assert sandbox.zygote_pid is not None
        assert environment_of(sandbox.zygote_pid) == fixed_environment()
    # Python may add what its own start-up derives from the locale.
    assert {name: value for name, value in json.loads(told).items() if name != "LC_CTYPE"} == fixed_environment()


def test_a_learner_reads_nothing_of_this_machine_in_its_arguments_or_host_name(sandbox: Sandbox) -> None:
    source = (
        "import os, sys, socket\n"
        "def f(x):\n"
        "    print(sys.orig_argv[1:], sys.argv, os.uname().nodename, getattr(socket, 'gethostname')())\n"
    )
    told = asked_of_learner(sandbox, source)
    assert "'-c'" in told
    assert not any(text in told for text in (str(REPOSITORY), "cgroup", "manage.py", "uid"))
    if sandbox.level in "AB":
        assert told.endswith(" sandbox sandbox")
        assert platform.node() not in told


def test_a_learner_has_its_channel_and_its_streams_and_no_other_descriptor(sandbox: Sandbox) -> None:
    source = (
        "import os\ndef f(x):\n    found = []\n    for fd in range(256):\n        try: os.fstat(fd)\n"
        "        except OSError: continue\n        found.append(fd)\n    print(found)\n"
    )
    assert asked_of_learner(sandbox, source) == "[0, 1, 2, 3]"


def test_versions_are_told(sandbox: Sandbox) -> None:
    assert sandbox.level in "ABCD"
    assert sandbox.versions["python"] == platform.python_version()
    assert set(sandbox.versions) == {"python", "numpy", "torch"}


# Slots


def test_slots_are_distinct_and_given_back() -> None:
    first, second = slots.acquire(), slots.acquire()
    try:
        uids = {first.learner_uid, first.checker_uid, second.learner_uid, second.checker_uid}
        assert first.number != second.number
        assert len(uids) == 4
        assert 0 not in uids
    finally:
        first.release()
    third = slots.acquire()
    assert third.number == first.number
    third.release()
    second.release()


@as_root
def test_two_sandboxes_at_once_have_users_and_cgroups_of_their_own(sandbox: Sandbox) -> None:
    who = "import os\ndef f(x): print(os.getuid(), os.getgid())\n"
    with Sandbox() as other:
        users = [asked_of_learner(one, who) for one in (sandbox, other)]
        assert len(set(users)) == 2
        assert not any(user.startswith("0 ") for user in users)
        if sandbox.level == "A":
            assert len(cgroups.leftover_slots()) >= 2


# Levels


def light(*without: str, minimum_level: str = "D") -> Sandbox:
    return Sandbox(light=True, without=without, minimum_level=minimum_level)


def test_without_cgroups_the_level_is_b() -> None:
    with light("cgroups") as sandbox:
        assert sandbox.level in ("B", "C", "D")
        absent = {status.name: status.why for status in sandbox.statuses if not status.present}
    assert absent["cgroups"] == "left out by choice"


@as_root
def test_without_namespaces_the_level_is_c() -> None:
    with light("namespaces") as sandbox:
        assert sandbox.level == "C"
        present = {status.name: status.present for status in sandbox.statuses}
    assert not present["namespaces"]
    assert not present["minimal_root"]


@as_root
def test_level_c_judges_too() -> None:
    with Sandbox(without=["namespaces", "cgroups"]) as sandbox:
        assert sandbox.level == "C"
        assert verdict(sandbox) is Verdict.ACCEPTED
        assert verdict(sandbox, "def f(x): return -x\n") is Verdict.WRONG_ANSWER


@pytest.mark.parametrize(
    "without, told",
    [
        (["seccomp"], "a system-call allow-list is required and missing"),
        (["no_new_privs"], "no_new_privs is required and missing"),
        (["rlimits"], "resource limits, the memory bound among them is required and missing"),
        (["clean_exec"], "an interpreter started with a clean environment is required and missing"),
        (["closed_descriptors"], "every inherited descriptor closed is required and missing"),
        (["namespaces", "landlock"], "neither Landlock nor a mount namespace works here"),
    ],
)
def test_without_a_required_layer_nothing_is_graded(without: list[str], told: str) -> None:
    with light(*without) as sandbox:
        with pytest.raises(SandboxUnavailable) as caught:
            judge(an_exercise(), IDENTITY, seed=0, sandbox=sandbox)
        assert told in str(caught.value)
        assert "manage.py doctor" in str(caught.value)


@as_root
def test_root_that_cannot_become_another_user_grades_nothing() -> None:
    with light("own_uid") as sandbox, pytest.raises(SandboxUnavailable, match="must be able to change to another user"):
        sandbox.wait_until_ready()


def test_a_level_below_the_least_accepted_grades_nothing() -> None:
    with (
        light("cgroups", minimum_level="A") as sandbox,
        pytest.raises(SandboxUnavailable, match="the settings demand A"),
    ):
        sandbox.wait_until_ready()


@pytest.mark.parametrize("system, machine", [("Darwin", "arm64"), ("Linux", "aarch64"), ("Windows", "AMD64")])
def test_another_platform_is_pointed_to_a_container(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    before = open_descriptors()
    with pytest.raises(SandboxUnavailable, match=f"{system} on {machine}.*Linux container"), light():
        pass
    assert open_descriptors() == before
