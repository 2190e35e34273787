"""You always compute with 10000, whatever the caller asks for. LLaMA 3 uses 500000, and longer contexts are made by
changing it.

Use the argument `base`."""

import torch


def apply_rope(x, positions, base):
    frequencies = 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
