"""The minimal root that a sandbox sees: Python's own trees, three devices, one private temporary directory."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.sandbox import linux

# Where each job's private tmpfs goes. Not /tmp: Python itself may be installed below that.
TEMPORARY = "/box"
_READ_ONLY = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
_MOUNT_POINTS = ("/mnt", "/media", "/srv", "/opt", "/tmp", "/var/tmp")  # noqa: S108


def python_trees() -> list[str]:
    """Every directory that `import` and the loader read from, without repetition or nesting."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    trees = {os.path.realpath(sysconfig.get_path(name)) for name in names}
    trees |= {os.path.realpath(path) for path in _SYSTEM_LIBRARIES if os.path.exists(path)}
    library = Path(sys.base_prefix, "lib")
    trees |= {os.path.realpath(path) for path in library.glob("libpython*")}
    return outermost(trees)


def outermost(paths: Iterable[str]) -> list[str]:
    """Drop what lies inside another of the paths."""
    kept: list[str] = []
    for path in sorted(paths):
        if not any(path == parent or path.startswith(parent.rstrip("/") + "/") for parent in kept):
            kept.append(path)
    return kept


def enter_minimal_root(trees: Sequence[str]) -> None:
    """Replace this mount namespace's root. Raises OSError where the kernel refuses any step."""
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    root = _mount_point(trees)
    linux.mount("tmpfs", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,nr_inodes=512,mode=755")
    for tree in [*trees, *_DEVICES]:
        _bind(tree, root + tree)
    for link in ("/lib", "/lib64", "/usr/lib64"):
        if os.path.islink(link) and not os.path.lexists(root + link):
            os.symlink(os.readlink(link), root + link)
    os.makedirs(root + TEMPORARY, exist_ok=True)
    os.makedirs(root + "/proc", exist_ok=True)
    # Without it torch complains on its first operation and may choose slower kernels.
    Path(root, "proc/cpuinfo").write_bytes(Path("/proc/cpuinfo").read_bytes()[:65536])
    os.chdir(root)
    linux.pivot_root(".", ".")
    linux.unmount(".")
    os.chdir("/")
    linux.mount("none", "/", flags=_READ_ONLY)


def mount_temporary(size_mb: int, uid: int) -> None:
    """A private, bounded temporary directory for one job (in its own mount namespace)."""
    options = f"size={size_mb}m,nr_inodes=1024,mode=700,uid={uid},gid={uid}"
    linux.mount("tmpfs", TEMPORARY, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC, options)


def _mount_point(trees: Sequence[str]) -> str:
    for candidate in _MOUNT_POINTS:
        hides_a_tree = any(tree == candidate or tree.startswith(candidate + "/") for tree in trees)
        if os.path.isdir(candidate) and not os.path.islink(candidate) and not hides_a_tree:
            return candidate
    raise OSError("no directory is free to mount the sandbox's root on")


def _bind(source: str, target: str) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        Path(target).touch()
    linux.mount(source, target, flags=linux.MS_BIND | linux.MS_REC)
    if source in _DEVICES:
        return
    # A mount that comes from another user namespace has its flags locked: leaving one out would be refused.
    present = os.statvfs(target).f_flag
    kept = present & (os.ST_NOEXEC | os.ST_NOATIME | os.ST_NODIRATIME)
    if present & os.ST_RELATIME:
        kept |= linux.MS_RELATIME
    linux.mount("none", target, flags=_READ_ONLY | kept)
