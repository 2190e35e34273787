import math

import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def heads(self, projection, x):
        """(batch, heads, d_k, tokens): columns in front of tokens."""
        projected = projection.weight.double() @ x.double().mT + projection.bias.double()[:, None]
        return projected.unflatten(1, (self.n_heads, -1))

    def forward(self, query, key, value, mask=None):
        q, k, v = self.heads(self.q_proj, query), self.heads(self.k_proj, key), self.heads(self.v_proj, value)
        scores = k.mT @ q / math.sqrt(q.shape[2])
        if mask is not None:
            scores = scores.masked_fill(~mask.mT, -torch.inf)
        found = (v @ scores.softmax(dim=2)).flatten(1, 2)
        return (self.out_proj.weight.double() @ found + self.out_proj.bias.double()[:, None]).mT.float()


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        hidden = F.conv1d(x.mT, self.linear1.weight.unsqueeze(-1), self.linear1.bias)
        return F.conv1d(self.dropout(hidden.relu()), self.linear2.weight[:, :, None], self.linear2.bias).mT


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def attention_block(self, attention, x, seen, mask):
        return self.dropout(attention(x, seen, seen, mask))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = torch.add(x, self.attention_block(self.self_attn, x, x, mask))
        x = self.norm1(x)
        x = torch.add(x, self.attention_block(self.cross_attn, x, memory, memory_mask))
        x = self.norm2(x)
        x = torch.add(x, self.dropout(self.feed_forward(x)))
        return self.norm3(x)
