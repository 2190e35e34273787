import math

import torch


def get_slopes(n):
    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return get_slopes_power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]


def alibi_slopes(n_heads):
    return torch.tensor(get_slopes(n_heads))


def alibi_bias(n_heads, n_queries, n_keys):
    relative = torch.arange(n_keys)[None, :] - torch.arange(n_keys - n_queries, n_keys)[:, None]
    bias = alibi_slopes(n_heads).view(-1, 1, 1) * relative
    return torch.where(relative > 0, float("-inf"), bias)
