"""Your largest logit gets the smallest weight: you subtract the logits from the largest one, and should subtract the largest
from the logits, `x - x.max(…)`."""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x.max(axis=axis, keepdims=True) - x)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
