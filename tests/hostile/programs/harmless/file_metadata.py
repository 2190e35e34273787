# catalogue: own 53
# says: ATTEMPTED file_metadata: EPERM EPERM EPERM EPERM
import os

from support import outcome, say

say(
    "file_metadata",
    outcome(lambda: os.chmod(os.__file__, 0o777)),
    outcome(lambda: os.chown(os.__file__, 0, 0)),
    outcome(lambda: os.utime(os.__file__, (0, 0))),
    outcome(lambda: os.setxattr(os.__file__, "user.mark", b"1")),
)


def twice(x):
    return 2.0 * x
