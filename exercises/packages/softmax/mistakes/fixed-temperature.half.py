import numpy as np


def softmax(x, axis, temperature=0.5):
    exponentials = np.exp((x - x.max(axis=axis, keepdims=True)) / temperature)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
