# catalogue: own 43
# stands: A D
# says: ATTEMPTED naps_at_import
# Waiting while the file is loaded has a budget, too.
import time

from support import say

say("naps_at_import")
for _ in range(99):
    time.sleep(0.2)


def twice(x):
    return 2.0 * x
