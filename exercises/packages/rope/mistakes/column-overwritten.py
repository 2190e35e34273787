"""You write the new first column of a pair and then read it again for the second one: `x[..., 0::2]` is a view, not a
copy, so it has changed by then.

Compute both new columns before you store either."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    turned = x.clone()
    first, second = turned[..., 0::2], turned[..., 1::2]
    first[...] = first * cos - second * sin
    second[...] = first * sin + second * cos
    return turned
