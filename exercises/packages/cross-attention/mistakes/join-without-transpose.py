"""The heads are joined in the wrong order. After attention you hold (batch, heads, tokens, d_k); reshaping that
straight to (batch, tokens, d_model) puts values of one token into the rows of others.

Swap axes 1 and 2 back first, `heads.transpose(1, 2)`, and then reshape."""

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
            scores = scores.masked_fill(~memory_mask[:, None, None, :], float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        joined = (weights @ v).reshape(x.shape)
        return self.out_proj(joined)
