import torch
from torch import Tensor


def sequence(n: int) -> Tensor:
    ratio = torch.tensor(2.0 ** (-8.0 / n))
    return torch.cumprod(ratio.repeat(n), dim=0)


def alibi_slopes(n_heads: int) -> Tensor:
    p = 1 << (n_heads.bit_length() - 1)
    if p == n_heads:
        return sequence(n_heads)
    return torch.concatenate((sequence(p), sequence(2 * p)[: 2 * (n_heads - p) : 2]))


def alibi_bias(n_heads: int, n_queries: int, n_keys: int) -> Tensor:
    """A causal mask of 0 and -inf, and penalties for the whole square; the last rows are returned as a view."""
    mask = torch.full((n_keys, n_keys), float("-inf")).triu(diagonal=1)
    position = torch.arange(n_keys, dtype=torch.float32)
    penalties = torch.einsum("h,ij->hij", alibi_slopes(n_heads), position[None, :] - position[:, None])
    return (penalties + mask)[:, n_keys - n_queries :]


if __name__ == "__main__":
    print(alibi_bias(2, 3, 3))
