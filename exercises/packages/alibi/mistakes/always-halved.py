"""You halve the slope from head to head. With 8 heads that is right, by chance; other numbers of heads have another
ratio.

The ratio is 2^(−8/n), so that n heads always end at 1/256; and a number that is no power of two has a rule of its
own."""

import torch


def alibi_slopes(n_heads):
    return torch.tensor([0.5 ** (k + 1) for k in range(n_heads)])


def alibi_bias(n_heads, n_queries, n_keys):
    queries = torch.arange(n_keys - n_queries, n_keys)[:, None]
    keys = torch.arange(n_keys)[None, :]
    bias = -alibi_slopes(n_heads)[:, None, None] * (queries - keys)
    return bias.masked_fill(keys > queries, float("-inf"))
