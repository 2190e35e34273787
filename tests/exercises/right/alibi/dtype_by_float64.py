from functools import lru_cache

import torch

torch.set_printoptions(precision=3)


@lru_cache
def slopes_of(n_heads: int) -> tuple[float, ...]:
    if n_heads & (n_heads - 1) == 0:
        return tuple(2 ** -(8 * (k + 1) / n_heads) for k in range(n_heads))
    below = 2 ** (n_heads.bit_length() - 1)
    return slopes_of(below) + slopes_of(2 * below)[::2][: n_heads - below]


def alibi_slopes(n_heads: int) -> torch.Tensor:
    return torch.tensor(slopes_of(n_heads), dtype=torch.float64).to(torch.float32)


def alibi_bias(n_heads: int, n_queries: int, n_keys: int) -> torch.Tensor:
    i, j = torch.meshgrid(torch.arange(n_keys)[-n_queries:], torch.arange(n_keys), indexing="ij")
    bias = torch.tensordot(alibi_slopes(n_heads).double(), (j - i).double(), dims=0)
    bias[:, j > i] = -float("inf")
    return bias.float()
