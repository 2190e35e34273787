import math

import torch


def alibi_slopes(n_heads):
    power = 2 ** round(math.log2(n_heads))
    return torch.tensor([2 ** (-8 * (k + 1) / power) for k in range(n_heads)])


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    return -slopes * distance.abs()
