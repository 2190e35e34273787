import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.amax(x, axis, keepdims=True))
    total = np.zeros(x.shape[:-1] + (1,))
    for i in range(x.shape[-1]):
        total[..., 0] += exponentials[..., i]
    return exponentials / total
