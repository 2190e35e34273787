import math
import warnings

import torch


def _exponents(n):
    return torch.arange(1, n + 1).float() * (8 / n)


def alibi_slopes(n_heads):
    power = 2 ** int(math.log2(n_heads))
    exponents = torch.hstack([_exponents(power), _exponents(2 * power)[::2][: n_heads - power]])
    return torch.exp(-math.log(2) * exponents)


def alibi_bias(n_heads, n_queries, n_keys, device="cpu"):
    warnings.warn("building a bias", stacklevel=1)
    keys = torch.arange(n_keys, device=device)
    queries = torch.arange(n_queries, device=device) + (n_keys - n_queries)
    distance = (queries.unsqueeze(1) - keys.unsqueeze(0)).float()
    distance[distance < 0] = math.inf
    return -alibi_slopes(n_heads)[:, None, None] * distance
