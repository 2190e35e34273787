"""The values are right, but no gradient flows back to `x`, so nothing before RoPE could learn.

Look for `.detach()`, `.data`, `torch.no_grad()` or a way through numpy, and remove it."""

import torch


@torch.no_grad()
def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
