"""This is the attention of one head, d_model wide, and its result is returned as it is: `n_heads` and `out_proj` have
no effect.

Split the projections into `n_heads` heads of width d_k, attend in each, join them, and return
`self.out_proj(joined)`."""

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
        return x

    def forward(self, query, key, value, mask=None):
        q = self.split(self.q_proj(query))
        k = self.split(self.k_proj(key))
        v = self.split(self.v_proj(value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask.squeeze(1), float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        heads = weights @ v
        return heads
