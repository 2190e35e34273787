import torch
from torch import Tensor


def apply_rope(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Turn the pairs (0, 1), (2, 3), … of every token, (..., T, d) → (..., T, d): Su et al. 2021, section 3.2.2."""
    d = x.shape[-1]
    frequencies = base ** -(torch.arange(0, d, 2, device=x.device) / d)
    angles = torch.outer(positions, frequencies)
    sin, cos = angles.sin(), angles.cos()
    first, second = x.unflatten(-1, (-1, 2)).unbind(-1)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)
