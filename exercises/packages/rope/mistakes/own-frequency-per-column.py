"""You gave every column a frequency of its own. The two columns of a pair turn together, by one angle: both use the
exponent −2i/d. Otherwise it is no rotation."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(x.shape[-1]) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    swapped = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return (x * cos + swapped * sin).to(x.dtype)
