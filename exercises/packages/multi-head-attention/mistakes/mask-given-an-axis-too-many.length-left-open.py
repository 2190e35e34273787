import math
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        bs = query.size(0)
        dk = query.size(-1) // self.heads
        q, k, v = [
            lin(t).view(bs, -1, self.heads, dk).transpose(1, 2)
            for lin, t in zip([self.q_proj, self.k_proj, self.v_proj], [query, key, value])
        ]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(dk)
        if mask is not None:
            mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask == 0, -1e9)
        p = torch.softmax(scores, dim=-1)
        x = torch.matmul(p, v).transpose(1, 2).contiguous().view(bs, -1, self.heads * dk)
        return self.out_proj(x)
