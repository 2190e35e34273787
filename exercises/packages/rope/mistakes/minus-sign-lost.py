"""That is no rotation: it changes the length of the pairs. Among the four products, one sign is wrong.

The product of the second column with the sine takes a minus: x₂ᵢ cos φ − x₂ᵢ₊₁ sin φ."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos + second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
