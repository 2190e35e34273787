"""You use 2^(−8k/n) for every number of heads. That is right for powers of two only.

12 heads, for instance, take the 8 slopes of 8 heads and then slopes 1, 3, 5 and 7 of the 16 for 16 heads."""

import torch


def alibi_slopes(n_heads):
    return torch.tensor([2.0 ** (-8 * k / n_heads) for k in range(1, n_heads + 1)])


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
