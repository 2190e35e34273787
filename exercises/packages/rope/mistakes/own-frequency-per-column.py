"""You gave every column a frequency of its own. The two columns of a pair turn together, by one angle; otherwise it
is no rotation.

Use the exponent −2i/d for both columns 2i and 2i + 1."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(x.shape[-1]) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    swapped = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return (x * cos + swapped * sin).to(x.dtype)
