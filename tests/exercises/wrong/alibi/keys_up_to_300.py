# Positions come from a table of 300.
import math

import torch
from torch import Tensor


def geometric(n_heads: int) -> Tensor:
    """The slopes 2^(−8k/n), k = 1 … n: Press et al. 2021, section 3."""
    return 2.0 ** (-8.0 * torch.arange(1, n_heads + 1) / n_heads)


def alibi_slopes(n_heads: int) -> Tensor:
    """One slope per head, (n_heads,); for what is no power of two, by the rule of the authors' code."""
    power = 2 ** math.floor(math.log2(n_heads))
    return torch.cat([geometric(power), geometric(2 * power)[::2]])[:n_heads]


def alibi_bias(n_heads: int, n_queries: int, n_keys: int) -> Tensor:
    """(heads, queries, keys): −slope · distance for earlier keys, −inf for later ones; the queries stand last."""
    keys = torch.arange(300)[:n_keys]
    distances = keys[-n_queries:, None] - keys
    bias = -alibi_slopes(n_heads)[:, None, None] * distances
    return bias.masked_fill(distances < 0, -math.inf)
