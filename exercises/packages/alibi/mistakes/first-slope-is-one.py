"""Your sequence begins at 1: its exponents are counted from 0.

It begins at its own ratio: count k from 1. For 8 heads the slopes are 1/2, 1/4, … 1/256."""

import torch


def geometric(n_heads):
    return torch.tensor([2.0 ** (-8 * k / n_heads) for k in range(n_heads)])


def alibi_slopes(n_heads):
    power = 1
    while 2 * power <= n_heads:
        power *= 2
    extra = geometric(2 * power)[0::2]
    return torch.cat((geometric(power), extra[: n_heads - power]))


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
