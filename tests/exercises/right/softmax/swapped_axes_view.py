import numpy as np


def softmax(x, axis):
    y = np.swapaxes(x, axis, 0)
    y = np.exp(y - y.max(0))
    result = np.swapaxes(y / y.sum(0), 0, axis)
    result.flags.writeable = False
    return result
