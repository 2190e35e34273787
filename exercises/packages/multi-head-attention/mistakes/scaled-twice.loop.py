import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.num_heads = n_heads
        self.depth = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        found = []
        for q_h, k_h, v_h in zip(q.split(self.depth, -1), k.split(self.depth, -1), v.split(self.depth, -1)):
            scores = q_h @ k_h.transpose(1, 2) / self.depth
            if mask is not None:
                scores = scores.masked_fill(~mask.squeeze(1), -1e9)
            found.append(scores.softmax(-1) @ v_h)
        return self.out_proj(torch.cat(found, dim=-1))
