import torch


def precompute(d, positions, base):
    freqs = 1.0 / (base ** (torch.arange(0, d, 2)[: (d // 2)].float() / d))
    freqs = torch.outer(positions.float(), freqs)
    return torch.polar(torch.ones_like(freqs), freqs)


def apply_rope(x, positions, base):
    points = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(points * precompute(x.shape[-1], positions, base)).flatten(-2).type_as(x)
