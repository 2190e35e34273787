import math

import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    print("turning", tuple(x.shape))
    columns = [None] * d
    for i in range(d // 2):
        theta = math.exp(-math.log(base) * 2 * i / d)
        cos = torch.tensor([math.cos(p * theta) for p in positions.tolist()])
        sin = torch.tensor([math.sin(p * theta) for p in positions.tolist()])
        a, b = x[..., 2 * i].float(), x[..., 2 * i + 1].float()
        columns[2 * i] = a * cos - b * sin
        columns[2 * i + 1] = b * cos + a * sin
    return torch.stack(columns, dim=-1).to(dtype=x.dtype)
