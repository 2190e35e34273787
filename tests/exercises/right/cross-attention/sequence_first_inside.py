import math

import torch
from torch import nn


def heads_first(x, n_heads):
    """(length, batch, d) → (batch, heads, length, d / heads)"""
    length, batch, width = x.shape
    return x.contiguous().view(length, batch, n_heads, width // n_heads).permute(1, 2, 0, 3)


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.scale = math.sqrt(math.sqrt(d_model // n_heads))

    def forward(self, x, memory, memory_mask=None):
        x, memory = x.transpose(0, 1), memory.transpose(0, 1)
        q = heads_first(self.q_proj(x), self.n_heads) / self.scale
        k = heads_first(self.k_proj(memory), self.n_heads) / self.scale
        v = heads_first(self.v_proj(memory), self.n_heads)
        logits = torch.matmul(q, k.swapaxes(-1, -2))
        if memory_mask is not None:
            logits = logits + torch.log(memory_mask.to(logits.dtype))[:, None, None, :]
        weights = torch.exp(torch.log_softmax(logits, dim=3))
        joined = torch.matmul(weights, v).permute(2, 0, 1, 3).reshape(x.shape)
        return self.out_proj(joined).transpose(0, 1)
