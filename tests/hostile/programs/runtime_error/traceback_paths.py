# catalogue: 29
# says: ATTEMPTED traceback_paths
# An error from deep inside numpy: the report shows our own frames, not where this machine keeps its libraries.
import numpy as np
from support import say


def twice(x):
    say("traceback_paths")
    return np.linalg.inv(np.zeros((2, 2)))
