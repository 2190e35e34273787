import math

import torch


def alibi_slopes(n_heads):
    return 2.0 ** (-8.0 * torch.arange(n_heads) / n_heads)


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads).view(n_heads, 1, 1)
    distance = torch.arange(n_keys - n_queries, n_keys).view(-1, 1) - torch.arange(n_keys).view(1, -1)
    bias = -slopes * distance
    return bias.masked_fill(distance < 0, float("-inf"))
