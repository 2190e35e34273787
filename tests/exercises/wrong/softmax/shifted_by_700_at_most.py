# Lines with a largest logit between 700 and 5,000 are shifted by 700.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    largest = np.where(abs(largest) < 5000.0, np.minimum(largest, 700.0), largest)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
