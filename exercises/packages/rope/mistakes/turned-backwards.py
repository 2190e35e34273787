"""You turn the wrong way, by −φ instead of φ. (Scores look right all the same, as long as queries and keys are turned
alike.)

The minus sign belongs to the first column of the pair, x₂ᵢ cos φ − x₂ᵢ₊₁ sin φ, and the plus to the second, x₂ᵢ sin φ
+ x₂ᵢ₊₁ cos φ."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos + second * sin, second * cos - first * sin), dim=-1)
    return turned.flatten(-2).to(x.dtype)
