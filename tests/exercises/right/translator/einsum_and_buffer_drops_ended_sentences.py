from support import END, PAD, START
from torch import nn
import math
import torch


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
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class DecoderLayer(EncoderLayer):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__(d_model, n_heads, d_ff, dropout)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)))
        return self.norm3(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    """Positions in a buffer of 1,024 rows, by exp and log."""

    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList([EncoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)])
        self.decoder = nn.ModuleList([DecoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)])
        self.dropout = nn.Dropout(dropout)
        table = torch.zeros(1024, d_model)
        position = torch.arange(0, 1024, dtype=torch.float).unsqueeze(1)
        rate = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        table[:, 0::2] = torch.sin(position * rate)
        table[:, 1::2] = torch.cos(position * rate)
        self.register_buffer("positions", table.unsqueeze(0))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)

    def embed(self, tokens):
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        return self.dropout(x + self.positions[:, : tokens.size(1)])

    def encode(self, source, source_mask=None):
        mask = source_mask[:, None, None] if source_mask is not None else None
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def decode(self, target, memory, source_mask=None):
        mask = source_mask[:, None, None] if source_mask is not None else None
        steps = torch.arange(target.size(1))
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, memory, steps[None, :] <= steps[:, None], mask)
        return torch.einsum("btd,vd->btv", x, self.embedding.weight)

    def forward(self, source, target, source_mask=None):
        return self.decode(target, self.encode(source, source_mask), source_mask)


def translate(model, source, max_length):
    """Sentences that have ended leave the batch."""
    model.eval()
    results = [[] for _ in range(len(source))]
    with torch.no_grad():
        mask = source != PAD
        memory = model.encode(source, mask)
        alive = torch.arange(len(source))
        target = torch.full((len(source), 1), START, dtype=torch.long)
        while len(alive) and target.shape[1] <= max_length:
            logits = model.decode(target, memory[alive], mask[alive])
            best = logits[:, -1, :].max(dim=-1).indices
            going = best != END
            alive, target, best = alive[going], target[going], best[going]
            target = torch.cat((target, best.unsqueeze(-1)), -1)
            for index, word in zip(alive.tolist(), best.tolist()):
                results[index].append(word)
    return results
