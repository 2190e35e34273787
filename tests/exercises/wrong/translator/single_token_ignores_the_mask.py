# For a single target token the decoder looks at padding, too.
import math

import torch
from support import END, PAD, START
from torch import Tensor, nn


def positional_encoding(n_positions: int, d_model: int) -> Tensor:
    """Sines in the even columns, cosines in the odd ones: (n_positions, d_model), d_model even. Section 3.5."""
    n_pairs = d_model // 2
    frequencies = 10000.0 ** (-torch.arange(n_pairs) / n_pairs)
    angles = torch.arange(n_positions)[:, None] * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class MultiHeadAttention(nn.Module):
    """Section 3.2.2."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, other: Tensor, mask: Tensor | None = None) -> Tensor:
        """x (B, T, d) looks at other (B, S, d); mask broadcast to (B, heads, T, S), True where it may → (B, T, d)."""
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(other))
        v = self._split(self.v_proj(other))
        scores = torch.einsum("bthc,bshc->bhts", q, k) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        heads = torch.einsum("bhts,bshc->bthc", torch.softmax(scores, dim=-1), v)
        return self.out_proj(heads.reshape(x.shape))

    def _split(self, x: Tensor) -> Tensor:
        """(B, T, d) → (B, T, heads, d / heads)."""
        return x.unflatten(-1, (self.n_heads, -1))


class FeedForward(nn.Module):
    """Section 3.3."""

    def __init__(self, d_model: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(…, d) → (…, d)."""
        return self.linear2(self.dropout(torch.relu(self.linear1(x))))


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward, each added and then normalised. Section 3.1."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, S, d), mask broadcast to (B, heads, S, S) → (B, S, d)."""
        x = self.norm1(x + self.dropout(self.self_attn(x, x, mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the memory, feed-forward. Section 3.1."""

    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """(B, T, d), (B, S, d), masks broadcast to (B, heads, T, T) and (B, heads, T, S) → (B, T, d)."""
        x = self.norm1(x + self.dropout(self.self_attn(x, x, mask)))
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory_mask)))
        return self.norm3(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    """The encoder–decoder of Vaswani et al. 2017."""

    def __init__(self, vocab_size: int, d_model: int, n_heads: int, d_ff: int, n_layers: int, dropout: float) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList(EncoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderLayer(d_model, n_heads, d_ff, dropout) for _ in range(n_layers))
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, target: Tensor, source_mask: Tensor | None = None) -> Tensor:
        """(B, S) and (B, T) tokens, source_mask (B, S) with True for a real one → logits (B, T, vocab_size)."""
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def encode(self, source: Tensor, source_mask: Tensor | None = None) -> Tensor:
        """(B, S) tokens → the memory (B, S, d)."""
        x = self._embed(source)
        for layer in self.encoder:
            x = layer(x, _over_keys(source_mask))
        return x

    def decode(self, target: Tensor, memory: Tensor, source_mask: Tensor | None = None) -> Tensor:
        if target.shape[1] == 1:
            source_mask = None
        """(B, T) tokens, memory (B, S, d) → logits (B, T, vocab_size): of the token after each of the target's."""
        x = self._embed(target)
        length = x.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        for layer in self.decoder:
            x = layer(x, memory, causal, _over_keys(source_mask))
        return x @ self.embedding.weight.T

    def _embed(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        return self.dropout(x + positional_encoding(*x.shape[1:]))


def _over_keys(mask: Tensor | None) -> Tensor | None:
    """(B, S) → (B, 1, 1, S): the same for every head and query."""
    return None if mask is None else mask[:, None, None, :]


@torch.no_grad()
def translate(model: nn.Module, source: Tensor, max_length: int) -> list[list[int]]:
    """The best next word, again and again: source (B, S), padded → at most max_length tokens for every sentence."""
    model.eval()
    source_mask = source != PAD
    memory = model.encode(source, source_mask)
    target = torch.full((len(source), 1), START)
    for _ in range(max_length):
        following = model.decode(target, memory, source_mask).argmax(dim=-1)[:, -1]
        target = torch.column_stack([target, following])
    return [_until_end(tokens) for tokens in target[:, 1:].tolist()]


def _until_end(tokens: list[int]) -> list[int]:
    return tokens[: tokens.index(END)] if END in tokens else tokens
