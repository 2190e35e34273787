"""Later keys get the bias 0, which makes them the most welcome of all.

Above the diagonal put −inf, which softmax turns into the weight 0."""

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
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, 0.0)
