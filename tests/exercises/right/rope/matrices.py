import torch
from torch import Tensor


def rotations(positions: Tensor, d: int, base: float) -> Tensor:
    """(n_tokens, d/2, 2, 2), one little matrix per token and pair, in float64."""
    angles = positions.double()[:, None] / base ** (2 * torch.arange(d // 2, dtype=torch.float64) / d)
    rows = [torch.stack([angles.cos(), -angles.sin()], -1), torch.stack([angles.sin(), angles.cos()], -1)]
    return torch.stack(rows, -2)


def apply_rope(x: Tensor, positions: Tensor, base: float) -> Tensor:
    pairs = x.double().unflatten(-1, (-1, 2))
    return torch.einsum("tpij,...tpj->...tpi", rotations(positions, x.shape[-1], base), pairs).flatten(-2).to(x)


if __name__ == "__main__":
    print(apply_rope(torch.ones(2, 4), torch.arange(2), 10000.0))
