# catalogue: own 23
# says: ATTEMPTED proc_links: E(ACCES|NOENT|PERM) E(ACCES|NOENT|PERM) E(ACCES|NOENT|PERM)
# Reading a link is not opening a file: what Landlock leaves open, the kernel's ptrace check must close.
import os

from support import outcome, say

parent = os.getppid()
say("proc_links", *(outcome(lambda: os.readlink(f"/proc/{who}")) for who in (f"{parent}/exe", f"{parent}/cwd", "1/fd/0")))


def twice(x):
    return 2.0 * x
