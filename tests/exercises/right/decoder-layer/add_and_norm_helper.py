import torch
import torch.nn.functional as F
from torch import nn


def attention(q, k, v, mask):
    logits = q @ k.transpose(2, 3) * (k.shape[3] ** -0.5)
    if mask is not None:
        logits = logits + torch.log(mask.to(logits.dtype))
    return torch.exp(torch.log_softmax(logits, dim=3)) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.shape = (n_heads, d_model // n_heads)
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))
            nn.init.xavier_uniform_(getattr(self, name).weight)

    def forward(self, query, key, value, mask=None, need_weights=False):
        q = torch.unflatten(self.q_proj(query), 2, self.shape).movedim(2, 1)
        k = torch.unflatten(self.k_proj(key), 2, self.shape).movedim(2, 1)
        v = torch.unflatten(self.v_proj(value), 2, self.shape).movedim(2, 1)
        return self.out_proj(attention(q, k, v, mask).movedim(1, 2).flatten(start_dim=2))


class FeedForward(nn.Sequential):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.add_module("linear1", nn.Linear(d_model, d_ff))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("dropout", nn.Dropout(dropout))
        self.add_module("linear2", nn.Linear(d_ff, d_model))


class AddAndNorm:
    """Holds no parameters: the norm belongs to the layer."""

    def __init__(self, layer, norm):
        self.layer, self.norm = layer, norm

    def __call__(self, x, found):
        dropped = F.dropout(found, p=self.layer.p, training=self.layer.training)
        return F.layer_norm(x + dropped, x.shape[-1:], self.norm.weight, self.norm.bias, 1e-5)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.norm3, self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.self_attn = MultiHeadAttention(d_model, n_heads)

    def forward(self, target, memory, mask=None, memory_mask=None):
        print("layer got", tuple(target.shape), tuple(memory.shape))
        target = AddAndNorm(self, self.norm1)(target, self.self_attn(target, target, target, mask))
        target = AddAndNorm(self, self.norm2)(target, self.cross_attn(target, memory, memory, memory_mask))
        return AddAndNorm(self, self.norm3)(target, self.feed_forward(target))
