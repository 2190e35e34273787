import warnings

import torch


class Rotary:
    """Keeps a table for each width and base, and lets it grow."""

    tables = {}

    @classmethod
    def table(cls, d, base, length):
        key = (d, float(base))
        if key not in cls.tables or cls.tables[key].shape[1] < length:
            warnings.warn("a new table", stacklevel=1)
            frequencies = torch.pow(float(base), torch.arange(0, -d, -2, dtype=torch.float64) / d)
            angles = torch.arange(2 * length)[:, None] * frequencies
            cls.tables[key] = torch.stack((angles.cos(), angles.sin())).float()
        return cls.tables[key]

    @staticmethod
    def apply(x, positions, base):
        cos, sin = Rotary.table(x.shape[-1], base, int(positions.max()) + 1)[:, positions]
        x_even, x_odd = x.unfold(-1, 2, 2).unbind(dim=-1)
        out = torch.empty_like(x)
        out[..., 0::2] = (x_even * cos - x_odd * sin).to(x.dtype)
        out[..., 1::2] = (x_even * sin + x_odd * cos).to(x.dtype)
        return out


apply_rope = Rotary.apply
