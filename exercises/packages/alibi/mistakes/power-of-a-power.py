"""`2 ** (-8 / n) ** k` is 2 to the power of (−8/n)^k: Python reads a chain of `**` from the right.

Write `2 ** (-8 * k / n)`, or `(2 ** (-8 / n)) ** k`."""

import math

import torch


def alibi_slopes(n_heads):
    def slopes(n):
        return [2 ** (-8 / n) ** k for k in range(1, n + 1)]

    power = 2 ** math.floor(math.log2(n_heads))
    return torch.tensor(slopes(power) + slopes(2 * power)[0::2][: n_heads - power])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    bias = -slopes * distance
    return bias.masked_fill(distance < 0, float("-inf"))
