import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    cos, sin = torch.cat((cos, cos), dim=-1), torch.cat((sin, sin), dim=-1)
    rotated = torch.empty_like(x)
    rotated[..., ::2], rotated[..., 1::2] = -x[..., 1::2], x[..., ::2]
    return (x * cos + rotated * sin).to(x.dtype)
