"""Two layouts are mixed: you turn the pairs (0, 1), (2, 3), …, but your table of angles is put together for halves, with
all frequencies once and then once more. Both columns of a pair need one angle: repeat each frequency in place, with
`repeat_interleave(2)`."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * torch.cat((frequencies, frequencies))
    sin, cos = torch.sin(angles), torch.cos(angles)
    swapped = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return (x * cos + swapped * sin).to(x.dtype)
