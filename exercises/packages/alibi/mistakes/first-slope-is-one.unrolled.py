import math

import torch


def alibi_slopes(n_heads):
    def slopes(n):
        return [2 ** (-8 * k / n) for k in range(n)]

    power = 2 ** math.floor(math.log2(n_heads))
    return torch.tensor(slopes(power) + slopes(2 * power)[1::2][: n_heads - power])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    bias = -slopes * distance
    return bias.masked_fill(distance < 0, float("-inf"))
