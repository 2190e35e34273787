"""For a number that is no power of two you take the sequence of the *next* one and cut it. Then the gentle slopes are
missing.

Take the power of two *below*, and fill up with every second slope of the finer sequence."""

import torch


def geometric(n_heads):
    return torch.tensor([2.0 ** (-8 * k / n_heads) for k in range(1, n_heads + 1)])


def alibi_slopes(n_heads):
    power = 1
    while power < n_heads:
        power *= 2
    return geometric(power)[:n_heads]


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
