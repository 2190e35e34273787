"""Your exponent is −i/d where the formula has −2i/d: the pairs are counted 0, 1, 2 …, and the 2 got lost. For 8
columns and base 10000 the frequencies should be 1, 0.1, 0.01 and 0.001.

Multiply the index by 2, or let it take the values 0, 2, 4 …: `torch.arange(0, d, 2) / d`."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(x.shape[-1] // 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
