"""You pair column i with column i + d/2, and turn each of these pairs the wrong way. Here the layout is interleaved,
and a pair turns by φ, not by −φ.

Take the pairs (0, 1), (2, 3), … with `x[..., 0::2]` and `x[..., 1::2]`; the minus sign belongs to the first column,
x₂ᵢ cos φ − x₂ᵢ₊₁ sin φ."""

import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    cos, sin = torch.cat((cos, cos), dim=-1), torch.cat((sin, sin), dim=-1)
    first, second = x[..., : d // 2], x[..., d // 2 :]
    rotated = torch.cat((second, -first), dim=-1)
    return (x * cos + rotated * sin).to(x.dtype)
