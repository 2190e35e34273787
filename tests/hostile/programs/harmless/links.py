# catalogue: own 55
# says: ATTEMPTED links: E(PERM|ACCES|ROFS) E(PERM|ACCES|ROFS) E(PERM|ACCES|ROFS) E(PERM|ACCES|ROFS)
# What the trusted side might follow: links, FIFOs, devices.
import os

from support import outcome, say

place = "/box" if os.path.isdir("/box") else "/tmp"
say(
    "links",
    outcome(lambda: os.symlink("/etc/passwd", f"{place}/s")),
    outcome(lambda: os.link(os.__file__, f"{place}/l")),
    outcome(lambda: os.mkfifo(f"{place}/f")),
    outcome(lambda: os.mknod(f"{place}/d", 0o20666, os.makedev(1, 1))),
)


def twice(x):
    return 2.0 * x
