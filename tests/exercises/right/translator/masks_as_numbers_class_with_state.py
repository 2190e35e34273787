from support import END, PAD, START
from torch import nn
import math
import torch
import warnings


warnings.warn("masks are numbers here", stacklevel=1)


def softmax(scores):
    scores = (scores - scores.amax(-1, keepdim=True)).exp()
    return scores / scores.sum(-1, keepdim=True)


class LayerNorm(nn.LayerNorm):
    """Written out, with the biased variance."""

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / torch.sqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.shape = (n_heads, d_model // n_heads)
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        def split(x):
            return x.reshape(*x.shape[:2], *self.shape).permute(0, 2, 1, 3)

        q, k, v = split(self.q_proj(query)), split(self.k_proj(key)), split(self.v_proj(value))
        scores = torch.matmul(q, k.permute(0, 1, 3, 2)) / math.sqrt(self.shape[1])
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        out = torch.matmul(softmax(scores), v).permute(0, 2, 1, 3)
        return self.out_proj(out.reshape(query.shape))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(nn.functional.relu(self.linear1(x)))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout1(self.self_attn(x, x, x, mask)))
        return self.norm2(x + self.dropout2(self.feed_forward(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.drops = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.norm1(x + self.drops[0](self.self_attn(x, x, x, mask)))
        x = self.norm2(x + self.drops[1](self.cross_attn(x, memory, memory, memory_mask)))
        return self.norm3(x + self.drops[2](self.feed_forward(x)))


class Positions(nn.Module):
    def __init__(self, d_model, length=2000):
        super().__init__()
        turns = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, d_model, 2) / d_model))
        self.register_buffer("table", torch.view_as_real(torch.polar(torch.ones_like(turns), turns)).flip(-1).flatten(1))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1, pad=None):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = Positions(d_model)
        self.dropout = nn.Dropout(dropout)
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        for _ in range(n_layers):
            self.encoder.append(EncoderLayer(d_model, n_heads, d_ff, dropout))
            self.decoder.append(DecoderLayer(d_model, n_heads, d_ff, dropout))
        self.root = math.sqrt(d_model)

    def encode(self, src, src_mask=None):
        if src_mask is None:
            src_mask = torch.ones(src.shape)
        print("source", src.shape)
        x = self.dropout(self.positions(self.embedding(src) * self.root))
        for layer in self.encoder:
            x = layer(x, src_mask.int().reshape(src.shape[0], 1, 1, -1))
        return x

    def decode(self, tgt, memory, src_mask=None):
        if src_mask is None:
            src_mask = torch.ones(memory.shape[:2])
        causal = torch.tril(torch.ones(1, 1, tgt.shape[1], tgt.shape[1]))
        x = self.dropout(self.positions(self.embedding(tgt) * self.root))
        for layer in self.decoder:
            x = layer(x, memory, causal, src_mask.int().reshape(tgt.shape[0], 1, 1, -1))
        return nn.functional.linear(x, self.embedding.weight)

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)


class Hypothesis:
    """One sentence as it is written."""

    def __init__(self):
        self.words = []
        self.over = False

    def take(self, word):
        if self.over:
            return
        if word == END:
            self.over = True
        else:
            self.words.append(word)


class Greedy:
    def __init__(self, model: nn.Module, limit: int):
        self.model, self.limit = model.eval(), limit

    def __call__(self, source):
        mask = ~(source == PAD)
        memory = self.model.encode(source, mask)
        target = torch.ones_like(source[:, :1]) * START
        hypotheses = [Hypothesis() for _ in range(source.shape[0])]
        for _ in range(self.limit):
            words = torch.topk(self.model.decode(target, memory, mask)[:, -1], k=1).indices
            target = torch.hstack([target, words])
            for hypothesis, word in zip(hypotheses, words.flatten().tolist()):
                hypothesis.take(word)
            if all(hypothesis.over for hypothesis in hypotheses):
                break
        return [hypothesis.words for hypothesis in hypotheses]


def translate(model, source, max_length):
    with torch.no_grad():
        return Greedy(model, max_length)(source)
