"""You turn the wrong way: the minus sign belongs to the first column of the pair, x₀ cos φ − x₁ sin φ, and the plus to the
second, x₀ sin φ + x₁ cos φ. (Scores look right all the same, as long as queries and keys are turned alike.)"""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos + second * sin, second * cos - first * sin), dim=-1)
    return turned.flatten(-2).to(x.dtype)
