"""Sine and cosine have changed places. At position 0 nothing may turn, but yours turns by a right angle there.

The cosine, which is 1 at position 0, belongs beside the column itself: x₂ᵢ cos φ − x₂ᵢ₊₁ sin φ."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * sin - second * cos, first * cos + second * sin), dim=-1)
    return turned.flatten(-2).to(x.dtype)
