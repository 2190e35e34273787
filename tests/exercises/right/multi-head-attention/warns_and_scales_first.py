import warnings

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        warnings.warn("made a layer", stacklevel=1)
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.split = lambda x: x.view(x.size(0), -1, n_heads, d_model // n_heads).transpose(1, 2)
        self.quarter = (d_model // n_heads) ** -0.25

    def forward(self, q, k, v, mask=None):
        q = self.split(self.q_proj(q)) * self.quarter
        k = self.split(self.k_proj(k)) * self.quarter
        scores = torch.matmul(q, k.transpose(-1, -2))
        if mask is not None:
            scores.masked_fill_(~mask.expand_as(scores), -torch.inf)
        out = torch.softmax(scores, -1).matmul(self.split(self.v_proj(v)))
        return self.out_proj(torch.cat(out.unbind(dim=1), dim=-1))
