# catalogue: own 21
# says: ATTEMPTED path_descriptors: E(ACCES|NOENT|PERM) E(ACCES|NOENT|PERM) E(ACCES|NOENT|PERM) E(ACCES|NOENT|PERM)
# A descriptor for a path alone is not refused; going on from it is. Nor does `..` lead out of what may be read.
import os

from support import outcome, say

root = os.open("/", os.O_PATH | os.O_DIRECTORY)
library = os.open(os.path.dirname(os.__file__), os.O_PATH | os.O_DIRECTORY)
up = "../" * 12
say(
    "path_descriptors",
    outcome(lambda: os.open("etc/shadow", os.O_RDONLY, dir_fd=root)),
    outcome(lambda: os.open(f"{up}etc/passwd", os.O_RDONLY, dir_fd=library)),
    outcome(lambda: os.listdir("/")),
    outcome(lambda: os.fchdir(root)),
)
os.close(root)
os.close(library)


def twice(x):
    return 2.0 * x
