import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(torch.arange(x.shape[-2]).float(), inv_freq)
    cos, sin = angles.cos()[positions], angles.sin()[positions]
    even, odd = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
