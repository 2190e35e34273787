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


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)


class DecoderLayer(nn.Module):
    """The sub-modules only keep the parameters: everything is computed here, heads split by reshaping the weights."""

    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.p = dropout

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def attend(self, own, x, seen, mask):
        h = own.n_heads

        def heads(layer, y):
            weight, bias = layer.weight.unflatten(0, (h, -1)), layer.bias.unflatten(0, (h, 1, -1))
            return y[:, None] @ weight.mT + bias

        q, k, v = heads(own.q_proj, x), heads(own.k_proj, seen), heads(own.v_proj, seen)
        scores = torch.matmul(q * q.shape[-1] ** -0.25, (k * k.shape[-1] ** -0.25).transpose(-1, -2))
        if mask is not None:
            scores.masked_fill_(~mask.expand_as(scores), -torch.inf)
        attended = torch.softmax(scores, -1).matmul(v)
        # W^O row block by row block, added up over the heads.
        return (attended @ own.out_proj.weight.T.unflatten(0, (h, -1))).sum(dim=1) + own.out_proj.bias

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.norm1(x + self.drop(self.attend(self.self_attn, x, x, mask)))
        x = self.norm2(x + self.drop(self.attend(self.cross_attn, x, memory, memory_mask)))
        hidden = self.drop(F.relu(self.feed_forward.linear1(x)))
        return self.norm3(x + self.drop(self.feed_forward.linear2(hidden)))
