import math
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.num_heads = n_heads
        self.head_dim = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        b = query.size(0)
        q = self.q_proj(query).view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(key).view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(value).view(b, -1, self.num_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        w = torch.softmax(scores, dim=-1)
        out = torch.matmul(w, v).transpose(1, 2).contiguous()
        return self.out_proj(out.view(b, -1, self.num_heads * self.head_dim))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.drop(torch.relu(self.linear1(x))))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None, memory_mask=None):
        a = self.drop(self.self_attn(x, x, x, mask))
        x = x + a
        x = self.norm1(x + a)
        c = self.drop(self.cross_attn(x, memory, memory, memory_mask))
        x = x + c
        x = self.norm2(x + c)
        return self.norm3(x + self.drop(self.feed_forward(x)))
