import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.width = d_model // n_heads
        self.heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        outputs = []
        for j in range(self.heads):
            own = slice(j * self.width, (j + 1) * self.width)
            q = F.linear(query, self.q_proj.weight[own], self.q_proj.bias[own])
            k = F.linear(key, self.k_proj.weight[own], self.k_proj.bias[own])
            v = F.linear(value, self.v_proj.weight[own], self.v_proj.bias[own])
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.width)
            if mask is not None:
                scores = scores.masked_fill(mask[:, 0].logical_not(), float("-inf"))
            outputs.append(torch.bmm(F.softmax(scores, dim=2), v))
        return self.out_proj(torch.cat(outputs, dim=-1))
