# Queries after the 64th get the bias of the 64th.
import math

import torch


def geometric(n_heads):
    return [2 ** (-8 * k / n_heads) for k in range(1, n_heads + 1)]


def alibi_slopes(n_heads):
    power = 2 ** int(math.log2(n_heads))
    return torch.tensor(geometric(power) + geometric(2 * power)[0 : 2 * (n_heads - power) : 2])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads)
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    distances = queries - torch.arange(n_keys)
    bias = -slopes[:, None, None] * distances
    return bias.masked_fill(distances < 0, float("-inf"))[:, torch.arange(n_queries).clamp(max=63)]
