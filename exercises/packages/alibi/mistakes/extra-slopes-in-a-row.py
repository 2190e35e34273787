"""For the heads beyond the power of two you take the *first* slopes of the finer sequence in a row. They should lie
between the slopes that you have.

Take every second one: `[0::2]`."""

import torch


def geometric(n_heads):
    return torch.tensor([2.0 ** (-8 * k / n_heads) for k in range(1, n_heads + 1)])


def alibi_slopes(n_heads):
    power = 1
    while 2 * power <= n_heads:
        power *= 2
    extra = geometric(2 * power)
    return torch.cat((geometric(power), extra[: n_heads - power]))


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
