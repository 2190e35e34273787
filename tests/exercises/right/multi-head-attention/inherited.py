import torch
from torch import nn


class Attention(nn.Module):
    def attend(self, q, k, v, mask):
        logits = q @ k.transpose(2, 3)
        logits = logits * (k.shape[3] ** -0.5)
        if mask is not None:
            logits = logits + torch.log(mask.to(logits.dtype))
        return torch.exp(torch.log_softmax(logits, dim=3)) @ v


class MultiHeadAttention(Attention):
    def __init__(self, d_model, n_heads):
        nn.Module.__init__(self)
        assert d_model % n_heads == 0, "n_heads must divide d_model"
        self.d_model, self.n_heads = d_model, n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=True)
        self.k_proj = nn.Linear(d_model, d_model, bias=True)
        self.v_proj = nn.Linear(d_model, d_model, bias=True)
        self.out_proj = nn.Linear(d_model, d_model, bias=True)
        self.last = None

    def forward(self, query, key, value, mask=None, need_weights=False):
        print("shapes", query.shape, key.shape)
        shape = (self.n_heads, self.d_model // self.n_heads)
        q = torch.unflatten(self.q_proj(query), 2, shape).movedim(2, 1)
        k = torch.unflatten(self.k_proj(key), 2, shape).movedim(2, 1)
        v = torch.unflatten(self.v_proj(value), 2, shape).movedim(2, 1)
        self.last = self.attend(q, k, v, mask)
        return self.out_proj(self.last.movedim(1, 2).flatten(start_dim=2))
