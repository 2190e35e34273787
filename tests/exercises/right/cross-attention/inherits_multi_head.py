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
        return x.reshape(x.shape[0], x.shape[1], self.n_heads, self.d_k).permute(0, 2, 1, 3)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.split(self.q_proj(query)), self.split(self.k_proj(key)), self.split(self.v_proj(value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        heads = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(heads.permute(0, 2, 1, 3).reshape(query.shape))


class CrossAttention(MultiHeadAttention):
    def forward(self, x, memory, memory_mask=None):
        mask = None if memory_mask is None else memory_mask[:, None, None, :]
        return super().forward(x, memory, memory, mask)


if __name__ == "__main__":
    print(CrossAttention(8, 2))
