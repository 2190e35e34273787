# The constructor takes no argument by its name.
import math

import torch
from torch import Tensor, nn


def positional_encoding(n_positions: int, d_model: int) -> Tensor:
    """Sines in the even columns, cosines in the odd ones: (n_positions, d_model), d_model even. Section 3.5."""
    frequencies = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
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

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, T, d), (B, S, d), (B, S, d), mask broadcast to (B, heads, T, S) with True where allowed → (B, T, d)."""
        q = self._split(self.q_proj(query))
        k = self._split(self.k_proj(key))
        v = self._split(self.v_proj(value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        heads = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(heads.transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        """(B, T, d) → (B, heads, T, d / heads)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)


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
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
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
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)))
        return self.norm3(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    """The encoder–decoder of Vaswani et al. 2017."""

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 512,
        n_heads: int = 8,
        d_ff: int = 2048,
        n_layers: int = 6,
        dropout: float = 0.1,
        /,
    ) -> None:
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
        """(B, T) tokens, memory (B, S, d) → logits (B, T, vocab_size): of the token after each of the target's."""
        length = target.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool, device=target.device).tril()
        x = self._embed(target)
        for layer in self.decoder:
            x = layer(x, memory, causal, _over_keys(source_mask))
        return x @ self.embedding.weight.T

    def _embed(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        return self.dropout(x + positional_encoding(*x.shape[1:]).to(x))


def _over_keys(mask: Tensor | None) -> Tensor | None:
    """(B, S) → (B, 1, 1, S): the same for every head and query."""
    return None if mask is None else mask[:, None, None, :]
