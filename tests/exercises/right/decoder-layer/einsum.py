import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            layer(x).view(*x.shape[:2], self.h, -1)
            for layer, x in ((self.q_proj, query), (self.k_proj, key), (self.v_proj, value))
        )
        scores = torch.einsum("bqhc,bkhc->bhqk", q, k) * q.size(-1) ** -0.5
        if mask is not None:
            scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
        return self.out_proj(torch.einsum("bhqk,bkhc->bqhc", scores.softmax(-1), v).flatten(-2))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.einsum("btd,fd->btf", x, self.linear1.weight) + self.linear1.bias
        return torch.einsum("btf,df->btd", self.drop(hidden.clamp(min=0)), self.linear2.weight) + self.linear2.bias


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn, self.cross_attn = (MultiHeadAttention(d_model, n_heads) for _ in range(2))
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout1, self.dropout2, self.dropout3 = (nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.norm1(self.dropout1(self.self_attn(x, x, x, mask)) + x)
        x = self.norm2(self.dropout2(self.cross_attn(x, memory, memory, memory_mask)) + x)
        return self.norm3(self.dropout3(self.feed_forward(x)) + x)
