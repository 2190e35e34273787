import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    out = torch.zeros_like(x)
    out[..., : d // 2] = x[..., ::2] * cos - x[..., 1::2] * sin
    out[..., d // 2 :] = x[..., ::2] * sin + x[..., 1::2] * cos
    return out
