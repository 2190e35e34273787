"""You add m·j: the penalty is measured from key 0, not from the query. After the softmax that is the same, but this
exercise asks for a bias that is 0 on the diagonal.

Compute −m (i − j)."""

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
    bias = alibi_slopes(n_heads)[:, None, None] * keys.expand(n_queries, -1)
    return bias.masked_fill(keys > queries, float("-inf"))
