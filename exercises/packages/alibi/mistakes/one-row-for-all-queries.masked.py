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
    bias = (slopes * torch.arange(1 - n_keys, 1)).repeat(1, n_queries, 1)
    later = torch.ones(n_queries, n_keys).triu(n_keys - n_queries + 1).bool()
    return bias.masked_fill(later, float("-inf"))
