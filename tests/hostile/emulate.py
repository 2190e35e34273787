"""Stand where a sandbox may have to stand, and judge there. Usage: python emulate.py LEVEL SECRET

    A  as this user, with all the machine has
    B  the same without control groups
    U  an ordinary user of the same machine: also level B
    C  root in a container as Docker makes it: no new namespaces, Docker's capabilities, control groups read-only
    D  an ordinary user in such a container

Reads one JSON order a line, judges it in one warm sandbox, and answers with one line: the report (or the fault), the
wall seconds, and every process that the job left behind.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import struct
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = Path(__file__).parent / "package"
NOBODY = 65534
REACHES = {"A": "A", "B": "B", "U": "B", "C": "C", "D": "D"}
"""The level that a sandbox must find, by where it stands."""
# What `docker run` leaves to root: CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP,
# NET_BIND_SERVICE, NET_RAW, SYS_CHROOT, MKNOD, AUDIT_WRITE, SETFCAP.
DOCKER_CAPABILITIES = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)

_libc = ctypes.CDLL(None, use_errno=True)
_NEWNS = 0x00020000
_MS_BIND, _MS_REC, _MS_PRIVATE, _MS_RDONLY = 4096, 16384, 1 << 18, 1


# Standing there


def stand(level: str) -> None:
    """Become what the level asks for; whoever is not root already is an ordinary user."""
    if os.geteuid() != 0:
        if level in "CD":
            _check(_libc.prctl(38, 1, 0, 0, 0), "no_new_privs")
            forbid_namespaces()
        return
    if level in "UCD":
        _check(_libc.unshare(_NEWNS), "unshare")
        _mount("none", "/", "", _MS_REC | _MS_PRIVATE)
        _open_the_way()
    if level in "CD":
        if Path("/sys/fs/cgroup").is_dir():
            _mount("none", "/sys/fs/cgroup", "tmpfs", _MS_RDONLY)
        forbid_namespaces()
        _keep_capabilities(DOCKER_CAPABILITIES)
    if level in "UD":
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def forbid_namespaces() -> None:
    """The part of Docker's system-call filter that takes namespaces away: EPERM, and ENOSYS for clone3."""
    code = [_bpf(0x20, value=4), _bpf(0x15, 1, 0, 0xC000003E), _bpf(0x06, value=0x7FFF0000), _bpf(0x20)]
    for number in (272, 308, 165, 166, 155, 429, 428, 430, 432, 442):  # unshare, setns, and every kind of mount
        code += [_bpf(0x15, 0, 1, number), _bpf(0x06, value=0x00050000 | errno.EPERM)]
    code += [_bpf(0x15, 0, 1, 435), _bpf(0x06, value=0x00050000 | errno.ENOSYS)]
    code += [_bpf(0x15, 0, 4, 56), _bpf(0x20, value=16), _bpf(0x45, 0, 1, 0x7E020080)]  # clone with any CLONE_NEW flag
    code += [_bpf(0x06, value=0x00050000 | errno.EPERM), _bpf(0x06, value=0x7FFF0000), _bpf(0x06, value=0x7FFF0000)]
    program = ctypes.create_string_buffer(b"".join(code))
    head = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(code), ctypes.addressof(program)))
    _check(_libc.prctl(22, ctypes.c_ulong(2), ctypes.c_ulong(ctypes.addressof(head)), 0, 0), "seccomp")


def _bpf(code: int, jump_true: int = 0, jump_false: int = 0, value: int = 0) -> bytes:
    return struct.pack("<HBBI", code, jump_true, jump_false, value)


def _keep_capabilities(kept: Iterable[int]) -> None:
    """Leave only these in the bounding set: what root has after the next execve."""
    for capability in range(64):
        if capability not in kept and _libc.prctl(24, ctypes.c_ulong(capability), 0, 0, 0) == -1:
            break


def _open_the_way() -> None:
    """Let an ordinary user reach this repository and its interpreter, in this mount namespace alone.

    A clone below /root is out of reach for others. An empty directory takes the place of whatever bars the way, with
    the needed trees bound into it.
    """
    needed = {
        str(REPOSITORY),
        sys.prefix,
        sys.base_prefix,
        os.path.realpath(sys.prefix),
        os.path.realpath(sys.base_prefix),
    }
    for barred in sorted({str(parent) for tree in needed for parent in Path(tree).parents}):
        if os.stat(barred).st_mode & 0o005 == 0o005:
            continue
        behind = {tree: os.open(tree, os.O_PATH) for tree in needed if tree.startswith(barred + "/")}
        _mount("none", barred, "tmpfs", 0, "mode=755")
        for tree, fd in behind.items():
            os.makedirs(tree, exist_ok=True)
            _mount(f"/proc/self/fd/{fd}", tree, "", _MS_BIND | _MS_REC)
            os.close(fd)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    result = _libc.mount(
        source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None
    )
    _check(result, f"mount on {target}")


def _check(result: int, what: str) -> None:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


# Judging there


def serve(level: str, secret: str) -> None:
    """Answer orders until standard input closes."""
    sys.path.insert(0, str(REPOSITORY))
    from grader.sandbox import Sandbox

    with Sandbox(without=["cgroups"] if level == "B" else []) as sandbox:
        _say({"level": sandbox.level, "uid": os.geteuid()})
        for line in sys.stdin:
            _say(_judge(json.loads(line), secret, sandbox))


def _judge(order: dict[str, Any], secret: str, sandbox: Any) -> dict[str, Any]:
    from grader.judge import PlatformFault, judge

    started = time.monotonic()
    answer: dict[str, Any] = {"fault": "", "report": None}
    try:
        package = load_package(order["package"], secret)
        report = judge(package, order["source"], seed=order["seed"], sandbox=sandbox, sample_only=order["sample_only"])
        answer["report"] = {**report.to_json(), "stdout": report.stdout, "stderr": report.stderr}
    except PlatformFault as fault:
        answer["fault"] = str(fault)
    answer["seconds"] = time.monotonic() - started
    sandbox.settle()
    answer["left"] = _left_after_reaping(sandbox.zygote_pid)
    return answer


def load_package(slug: str, secret: str) -> Any:
    """The package with the secret in place of its mark."""
    from exercises.package import from_files

    folder = PACKAGES / slug
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return from_files(
        {
            name: data.replace(b"{{SECRET}}", secret.encode())
            for name, data in files.items()
            if "__pycache__" not in name
        }
    )


def _left_after_reaping(zygote: int | None) -> list[str]:
    """What is left when the zygote has had a moment to reap its last child."""
    for _ in range(100):
        left = left_behind(zygote)
        if not left:
            break
        time.sleep(0.01)
    return left


def left_behind(zygote: int | None) -> list[str]:
    """Processes of the zygote's session beyond its own, as the machine sees them.

    Its own are two processes, and the init of the next job, which stands by, with its two children. A confined process
    cannot leave its session, nor choose who becomes its parent.
    """
    found: dict[int, tuple[int, str]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{name}/stat").read_text()
                fields = text.rpartition(")")[2].split()
                if int(fields[3]) == zygote:
                    found[int(name)] = (int(fields[1]), f"{name} {text.split('(')[1].split(')')[0]} {fields[0]}")
    inner = next((pid for pid, (parent, _) in found.items() if parent == zygote), None)
    standby = max((pid for pid, (parent, _) in found.items() if parent == inner), default=None)
    own = {zygote, inner, standby, *(pid for pid, (parent, _) in found.items() if parent == standby)}
    return [description for pid, (_, description) in found.items() if pid not in own]


def _say(facts: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def main() -> None:
    level, secret, *standing = sys.argv[1:]
    if not standing:
        stand(level)
        # A fresh start: with the capabilities that are left, and owner of its own /proc entries again.
        os.execv(sys.executable, [sys.executable, __file__, level, secret, "standing"])
    serve(level, secret)


if __name__ == "__main__":
    main()
