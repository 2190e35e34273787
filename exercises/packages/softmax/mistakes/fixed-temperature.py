"""You divide the logits by a fixed temperature, which makes your weights flatter or sharper than they should be.

The formula has no temperature: take `np.exp` of the shifted logits as they are.
"""

import numpy as np


def softmax(x, axis):
    temperature = 2.0
    exponentials = np.exp((x - x.max(axis=axis, keepdims=True)) / temperature)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
