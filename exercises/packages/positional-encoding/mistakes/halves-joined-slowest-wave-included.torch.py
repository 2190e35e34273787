import math

import torch


def positional_encoding(n_positions, d_model):
    half = d_model // 2
    emb = math.log(10000) / (half - 1)
    emb = torch.exp(torch.arange(half, dtype=torch.float) * -emb)
    emb = torch.arange(n_positions, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
    emb = torch.cat([torch.sin(emb), torch.cos(emb)], dim=1)
    if d_model % 2 == 1:
        emb = torch.cat([emb, torch.zeros(n_positions, 1)], dim=1)
    return emb.numpy()
