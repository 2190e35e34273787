from support import END, PAD, START
from torch import nn
from torch.func import functional_call
import math
import torch
import warnings


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        q, k, v = (
            torch.stack(y.tensor_split(self.n_heads, -1), 1)
            for y in (self.q_proj(query), self.k_proj(key), self.v_proj(value))
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores + torch.log(mask.to(scores.dtype))
        return self.out_proj(torch.cat((torch.softmax(scores, -1) @ v).unbind(1), -1))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = self.linear1(x)
        return self.dropout(self.linear2(torch.maximum(x, torch.zeros_like(x))))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        return self.norm2(x + self.feed_forward(x))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads)
        self.cross_attn = Attention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)))
        return self.norm3(x + self.feed_forward(x))


def doubled(module, *args):
    """The module's result with its parameters in float64."""
    state = {name: parameter.double() for name, parameter in module.named_parameters()}
    return functional_call(module, state, args)


class Transformer(nn.Module):
    """Layers compute in float64; what comes out is float32."""

    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList(EncoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))
        self.dropout = nn.Dropout(dropout)

    def embed(self, tokens):
        x = self.embedding(tokens).double() * math.sqrt(self.embedding.embedding_dim)
        positions = torch.zeros_like(x[0])
        for k in range(0, x.shape[2], 2):
            angles = torch.arange(x.shape[1], dtype=torch.float64) * 10000 ** (-k / x.shape[2])
            positions[:, k], positions[:, k + 1] = angles.sin(), angles.cos()
        return self.dropout(x + positions)

    def forward(self, source, target, source_mask=None):
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def encode(self, source, source_mask=None):
        mask = None if source_mask is None else source_mask.unsqueeze(1).unsqueeze(1)
        x = self.embed(source)
        for layer in self.encoder:
            x = doubled(layer, x, mask)
        return x.float()

    def decode(self, target, memory, source_mask=None):
        mask = None if source_mask is None else source_mask.unsqueeze(1).unsqueeze(1)
        causal = torch.ones(target.shape[1], target.shape[1]).tril() > 0
        x = self.embed(target)
        for layer in self.decoder:
            x = doubled(layer, x, memory.double(), causal, mask)
        return (x @ self.embedding.weight.double().T).float()


def continued(model, memory, mask, target, left):
    """The target, written to its end."""
    over = (target == END).any(dim=1)
    if left == 0 or over.all():
        return target
    scores = model.decode(target, memory, mask)
    word = torch.argsort(scores[:, target.shape[1] - 1], descending=True)[:, :1]
    return continued(model, memory, mask, torch.cat([target, word.masked_fill(over[:, None], END)], dim=1), left - 1)


def translate(model, source, max_length):
    warnings.warn("goes deeper with every word", stacklevel=1)
    model.eval()
    mask = source != PAD
    with torch.no_grad():
        first = torch.tensor([[START]]).repeat(source.shape[0], 1)
        target = continued(model, model.encode(source, mask), mask, first, max_length)
    translations = []
    for row in target:
        ends = (row == END).nonzero()
        stop = int(ends[0]) if len(ends) else len(row)
        translations.append([int(word) for word in row[1:stop]])
    return translations
