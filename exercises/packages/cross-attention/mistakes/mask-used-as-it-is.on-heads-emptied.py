import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.n_heads, self.d_k).transpose(1, 2)

    def forward(self, x, memory, memory_mask=None):
        q = self.split(self.q_proj(x))
        k = self.split(self.k_proj(memory))
        v = self.split(self.v_proj(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if memory_mask is not None:
            scores = scores.masked_fill(~memory_mask.unsqueeze(1), float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        joined = (weights @ v).transpose(1, 2).flatten(2)
        return self.out_proj(joined)
