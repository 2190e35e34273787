# The scale is that of the first call.
import numpy as np

ROOT = []


def attention(q, k, v):
    ROOT.append(np.sqrt(k.shape[-1]))
    scores = q @ np.swapaxes(k, -1, -2) / ROOT[0]
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ v
