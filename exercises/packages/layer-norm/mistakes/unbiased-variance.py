"""Your variance divides by d − 1 instead of d. That is how one estimates the variance of a population from a sample;
here the d values are all there are. With a single column it is even 0/0.

Use `x.var(axis=-1, keepdims=True)` without `ddof`, or the plain mean of the squares. In torch, `x.var(-1,
keepdim=True)` needs `correction=0`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).sum(axis=-1, keepdims=True) / max(x.shape[-1] - 1, 1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
