"""`max` and `sum` remove the axis, so numpy lines their results up with the *last* axis of `x`: that raises an error
or, where the lengths happen to fit, divides by the sum of another line.

Keep the axis: `keepdims=True`, in both.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.max(x, axis=axis))
    return exponentials / np.sum(exponentials, axis=axis)
