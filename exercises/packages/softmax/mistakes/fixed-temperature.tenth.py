import numpy as np


TEMPERATURE = 0.1


def softmax(x, axis):
    z = x / TEMPERATURE
    exponentials = np.exp(z - z.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
