"""Your penalty grows with the index of the key, −m j: the first key pays nothing and the nearest pays most.

It grows with the distance from the query: −m (i − j), which is 0 on the diagonal."""

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
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    bias = -slopes * torch.arange(n_keys).expand(n_queries, n_keys)
    return bias.masked_fill(distance < 0, float("-inf"))
