import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    turns = torch.polar(torch.ones(1), -torch.outer(positions.float(), inv_freq))
    turned = torch.complex(*x.float().chunk(2, dim=-1)) * turns
    return torch.cat((turned.real, turned.imag), dim=-1).type_as(x)
