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


class EncoderLayer(nn.Module):
    """The sub-modules only keep the parameters: everything is computed here, heads split by reshaping the weights."""

    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.p = dropout

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, mask=None):
        own, ff, h = self.self_attn, self.feed_forward, self.self_attn.n_heads

        def heads(layer):
            weight, bias = layer.weight.unflatten(0, (h, -1)), layer.bias.unflatten(0, (h, 1, -1))
            return x[:, None] @ weight.mT + bias

        q, k, v = heads(own.q_proj), heads(own.k_proj), heads(own.v_proj)
        scores = torch.matmul(q * q.shape[-1] ** -0.25, (k * k.shape[-1] ** -0.25).transpose(-1, -2))
        if mask is not None:
            scores.masked_fill_(~mask.expand_as(scores), -torch.inf)
        attended = torch.softmax(scores, -1).matmul(v)
        # W^O row block by row block, added up over the heads.
        joined = (attended @ own.out_proj.weight.T.unflatten(0, (h, -1))).sum(dim=1) + own.out_proj.bias
        x = self.norm1(x + self.drop(joined))
        hidden = self.drop(F.relu(ff.linear1(x)))
        return self.norm2(x + self.drop(ff.linear2(hidden)))
