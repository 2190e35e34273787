from support import END, PAD, START
from torch import nn
import math
import torch


def encoding(n, d):
    rows = []
    for p in range(n):
        row = []
        for k in range(0, d, 2):
            angle = p / 10000 ** (k / d)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)


class MultiHeadAttention(nn.Module):
    """Of one sentence: (T, d), (S, d) → (T, d)."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))
        self.n_heads = n_heads

    def forward(self, x, other, causal=False):
        q, k, v = self.q_proj(x), self.k_proj(other), self.v_proj(other)
        heads = []
        for a, b, c in zip(*(y.chunk(self.n_heads, dim=1) for y in (q, k, v))):
            scores = a @ b.T / math.sqrt(a.shape[1])
            if causal:
                scores = scores - torch.ones_like(scores).triu(1) * 1e9
            heads.append(torch.softmax(scores, 1) @ c)
        return self.out_proj(torch.cat(heads, 1))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.relu, self.dropout = nn.ReLU(), nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.relu(self.linear1(x))))


class Layer(nn.Module):
    """Both kinds of layers: with or without a look into the memory."""

    def __init__(self, d_model, n_heads, d_ff, dropout, decoder):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        if decoder:
            self.cross_attn = MultiHeadAttention(d_model, n_heads)
            self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.decoder = decoder

    def forward(self, x, memory=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, self.decoder)))
        if self.decoder:
            x = self.norm2(x + self.dropout(self.cross_attn(x, memory)))
        last = self.norm3 if self.decoder else self.norm2
        return last(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    """Padding is cut out of every sentence, and the memory filled up with zeros again."""

    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        sizes = (d_model, n_heads, d_ff, dropout)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.Sequential(*(Layer(*sizes, decoder=False) for _ in range(n_layers)))
        self.decoder = nn.ModuleList([Layer(*sizes, decoder=True) for _ in range(n_layers)])
        self.dropout = nn.Dropout(dropout)

    def embed(self, tokens):
        x = self.embedding(tokens) * self.embedding.weight.shape[1] ** 0.5
        return self.dropout(x + encoding(*x.shape))

    def encode(self, source, source_mask=None):
        if source_mask is None:
            source_mask = torch.ones_like(source, dtype=torch.bool)
        memories = []
        for tokens, mask in zip(source, source_mask):
            memory = torch.zeros(len(tokens), self.embedding.embedding_dim)
            memories.append(memory.index_put((mask.nonzero()[:, 0],), self.encoder(self.embed(tokens[mask]))))
        return torch.stack(memories)

    def decode(self, target, memory, source_mask=None):
        outputs = []
        for index in range(len(target)):
            x, remembered = self.embed(target[index]), memory[index]
            if source_mask is not None:
                remembered = remembered[source_mask[index]]
            for layer in self.decoder:
                x = layer(x, remembered)
            outputs.append(x @ self.embedding.weight.t())
        return torch.stack(outputs)

    def forward(self, source, target, source_mask=None):
        return self.decode(target, self.encode(source, source_mask), source_mask)


@torch.inference_mode()
def translate(model, source, max_length, verbose=True):
    """Sentences that have ended write PAD, in a tensor that is there from the beginning."""
    was_training = model.training
    model.eval()
    keep = source.ne(PAD)
    memory = model.encode(source, source_mask=keep)
    tokens = torch.full((source.size(0), max_length + 1), PAD)
    tokens[:, 0] = START
    finished = torch.zeros(source.size(0), dtype=torch.bool)
    for t in range(max_length):
        probabilities = torch.softmax(model.decode(tokens[:, : t + 1], memory, source_mask=keep)[:, t], dim=-1)
        word = torch.where(finished, PAD, probabilities.argmax(-1))
        finished = finished.logical_or(word == END)
        tokens[:, t + 1] = word
        if bool(finished.all()):
            break
    if verbose:
        print("took", t + 1, "steps")
    model.train(was_training)
    lengths = ((tokens[:, 1:] != PAD) & (tokens[:, 1:] != END)).cumprod(dim=1).sum(dim=1)
    return [list(row[1 : 1 + n]) for row, n in zip(tokens, lengths)]
