"""All queries have the same row, that of the last one. (Shifted by a constant, every row is the same after the
softmax; but this exercise asks for a bias that is 0 on the diagonal, and −∞ above it.)

Give each query its own distances i − j, with i from `n_keys - n_queries` to `n_keys - 1`, and mask the later keys."""

import math

import torch


def alibi_slopes(n_heads):
    def slopes(n):
        start = 2 ** (-8 / n)
        return [start ** (k + 1) for k in range(n)]

    power = 2 ** math.floor(math.log2(n_heads))
    return torch.tensor(slopes(power) + slopes(2 * power)[0::2][: n_heads - power])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    bias = slopes * torch.arange(1 - n_keys, 1)
    return bias.expand(n_heads, n_queries, n_keys)
