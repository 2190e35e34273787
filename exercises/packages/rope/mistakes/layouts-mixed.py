"""Two layouts are mixed. The two columns of a pair need one angle, but your table of angles and your rotation
disagree about which columns are a pair.

Keep to (0, 1), (2, 3), … in both: repeat each frequency in place, with `repeat_interleave(2)`, and let the partner of
column 2i be column 2i + 1."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * torch.cat((frequencies, frequencies))
    sin, cos = torch.sin(angles), torch.cos(angles)
    swapped = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    return (x * cos + swapped * sin).to(x.dtype)
