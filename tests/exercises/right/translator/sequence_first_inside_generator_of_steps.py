from support import END, PAD, START
import itertools
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    """(length, batch, d), heads as part of the batch."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, other, blocked=None):
        t, b, d = x.shape

        def split(y):
            return y.contiguous().view(-1, b * self.n_heads, d // self.n_heads).transpose(0, 1)

        q, k, v = split(self.q_proj(x)), split(self.k_proj(other)), split(self.v_proj(other))
        scores = torch.baddbmm(torch.zeros(1), q, k.transpose(1, 2), beta=0, alpha=(d // self.n_heads) ** -0.5)
        if blocked is not None:
            scores = scores.view(b, self.n_heads, t, -1).masked_fill(blocked, float("-inf")).flatten(0, 1)
        return self.out_proj((F.softmax(scores, -1) @ v).transpose(0, 1).reshape(t, b, d))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.linear1, self.dropout, self.linear2 = nn.Linear(d_model, d_ff), nn.Dropout(dropout), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.dropout(F.relu(self.linear1(x))))


class EncoderLayer(nn.Module):
    attentions = ("self_attn",)

    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        for number, name in enumerate([*self.attentions, "feed_forward"], start=1):
            part = FeedForward(d_model, d_ff, dropout) if name == "feed_forward" else MultiHeadAttention(d_model, n_heads)
            self.add_module(name, part)
            self.add_module(f"norm{number}", nn.LayerNorm(d_model, eps=1e-5))
        self.p = dropout

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, blocked):
        x = self.norm1(x + self.drop(self.self_attn(x, x, blocked)))
        return self.norm2(x + self.drop(self.feed_forward(x)))


class DecoderLayer(EncoderLayer):
    attentions = ("self_attn", "cross_attn")

    def forward(self, x, blocked, memory, padding):
        x = self.norm1(x + self.drop(self.self_attn(x, x, blocked)))
        x = self.norm2(x + self.drop(self.cross_attn(x, memory, padding)))
        return self.norm3(x + self.drop(self.feed_forward(x)))


class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList()
        self.decoder = nn.ModuleList()
        for _ in range(n_layers):
            self.encoder.append(EncoderLayer(d_model, n_heads, d_ff, dropout))
        for _ in range(n_layers):
            self.decoder.append(DecoderLayer(d_model, n_heads, d_ff, dropout))

    def embed(self, tokens):
        n, d = tokens.shape[1], self.embedding.embedding_dim
        column = torch.arange(d)
        angle = torch.arange(n, dtype=torch.float64)[:, None] / 10000.0 ** ((column - column % 2) / d)
        # A cosine is a sine a quarter turn later.
        positions = torch.sin(angle + (column % 2) * torch.pi / 2).to(torch.float32)
        x = d**0.5 * F.embedding(tokens, self.embedding.weight) + positions
        return F.dropout(x, self.p, self.training).transpose(0, 1)

    def blocked(self, source_mask):
        return None if source_mask is None else source_mask.logical_not()[:, None, None, :]

    def encode(self, source, source_mask=None):
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, self.blocked(source_mask))
        return x.transpose(0, 1)

    def decode(self, target, memory, source_mask=None):
        n = target.shape[1]
        future = torch.triu(torch.ones(n, n), diagonal=1).bool()
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, future, memory.transpose(0, 1), self.blocked(source_mask))
        return (x @ self.embedding.weight.T).transpose(0, 1)

    def forward(self, source, target, source_mask=None):
        return self.decode(target, self.encode(source, source_mask), source_mask)


def steps(model, memory, mask):
    target = np.full((len(mask), 1), START)
    while True:
        logits = model.decode(torch.from_numpy(target), memory, mask)
        following = logits[:, -1].detach().numpy().argmax(axis=1)
        target = np.concatenate([target, following[:, None]], axis=1)
        yield following


def translate(model, source, max_length):
    model.eval()
    mask = source > PAD
    columns, seen = [], np.zeros(len(source), dtype=bool)
    for column in itertools.islice(steps(model, model.encode(source, mask), mask), max_length):
        columns.append(column)
        seen |= column == END
        if seen.all():
            break
    return [list(itertools.takewhile(lambda word: word != END, map(int, row))) for row in np.array(columns).T]
