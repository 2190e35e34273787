import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = torch.tensor([1.0 / base ** (i / d) for i in range(d // 2)])
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    even, odd = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
