"""For a number that is no power of two you go on with the sequence of the power below, so that the slopes of the last
heads are far below 1/256.

After the slopes for the power of two, take every second slope of the finer sequence, that for twice the power."""

import math

import torch


def alibi_slopes(n_heads):
    power = 2 ** math.floor(math.log2(n_heads))
    start = 2 ** (-8 / power)
    return torch.tensor([start ** (k + 1) for k in range(n_heads)])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    bias = -slopes * distance
    return bias.masked_fill(distance < 0, float("-inf"))
