import math

import numpy as np


def softmax(x, axis):
    exponentials = [math.exp(value - x.max()) for value in x.ravel()]
    return np.array([value / sum(exponentials) for value in exponentials]).reshape(x.shape)
