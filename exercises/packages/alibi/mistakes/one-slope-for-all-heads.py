"""Every head has the same slope. The heads differ in their slopes alone: some look near, others far.

Give slope k to head k: shape (n_heads, 1, 1) before you multiply."""

import torch


def geometric(n_heads):
    return torch.tensor([2.0 ** (-8 * k / n_heads) for k in range(1, n_heads + 1)])


def alibi_slopes(n_heads):
    power = 1
    while 2 * power <= n_heads:
        power *= 2
    extra = geometric(2 * power)[0::2]
    return torch.cat((geometric(power), extra[: n_heads - power]))


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[0].expand(n_heads, 1, 1) * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
