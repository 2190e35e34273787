"""Your exponent has the 2 twice, so the pairs slow down twice as fast as they should: an index that already takes the
values 0, 2, 4 … *is* the formula's 2i.

Use `torch.arange(0, d, 2) / d` as it stands."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-2 * torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
