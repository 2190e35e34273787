from __future__ import annotations

from copy import deepcopy
from support import *
from torch import Tensor, nn
import math
import numpy as np
import torch
import torch.nn.functional as F


def positional_encoding(n_positions: int, d_model: int) -> np.ndarray:
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / np.power(10000.0, 2 * (columns // 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads, self.width = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | float = 0.0) -> Tensor:
        heads = []
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        for j in range(self.n_heads):
            own = slice(j * self.width, (j + 1) * self.width)
            scores = torch.bmm(q[..., own], k[..., own].mT) / math.sqrt(self.width) + bias
            heads.append(torch.bmm(F.softmax(scores, dim=-1), v[..., own]))
        return self.out_proj(torch.cat(heads, -1))


class FeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear2(F.relu(self.linear1(x)))


class Residual(nn.Module):
    """Adds and normalises; keeps its norm outside, so that the names stay those of the statement."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, norm: nn.LayerNorm, x: Tensor, y: Tensor) -> Tensor:
        return norm(self.dropout(y) + x)


class EncoderLayer(nn.Module):
    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.norm2 = nn.LayerNorm(d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.residual = Residual(dropout)

    def forward(self, x: Tensor, bias: Tensor | float) -> Tensor:
        x = self.residual(self.norm1, x, self.self_attn(x, x, x, bias))
        return self.residual(self.norm2, x, self.feed_forward(x))


class DecoderLayer(EncoderLayer):
    def __init__(self, d_model: int, n_heads: int, d_ff: int, dropout: float) -> None:
        super().__init__(d_model, n_heads, d_ff, dropout)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x: Tensor, bias: Tensor, memory: Tensor, memory_bias: Tensor | float) -> Tensor:
        x = self.residual(self.norm1, x, self.self_attn(x, x, x, bias))
        x = self.residual(self.norm2, x, self.cross_attn(x, memory, memory, memory_bias))
        return self.residual(self.norm3, x, self.feed_forward(x))


def bias_of(mask: Tensor | None) -> Tensor | float:
    return 0.0 if mask is None else torch.zeros(mask.shape).masked_fill(~mask, -1e9).unsqueeze(1)


class Transformer(nn.Module):
    """Layers are deep copies, the head is a module that shares the table, masks are added."""

    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.head.weight = self.embedding.weight
        encoder, decoder = (kind(d_model, n_heads, d_ff, dropout) for kind in (EncoderLayer, DecoderLayer))
        self.encoder = nn.ModuleList(deepcopy(encoder) for _ in range(n_layers))
        self.decoder = nn.ModuleList(deepcopy(decoder) for _ in range(n_layers))
        self.drop = nn.Dropout(p=dropout)
        self.d_model = d_model

    def start(self, tokens: Tensor) -> Tensor:
        positions = torch.from_numpy(positional_encoding(tokens.shape[-1], self.d_model)).float()
        return self.drop(self.embedding(tokens).mul(self.d_model**0.5).add(positions))

    def encode(self, source: Tensor, source_mask: Tensor | None = None) -> Tensor:
        x, bias = self.start(source), bias_of(source_mask)
        for layer in self.encoder:
            x = layer(x, bias)
        return x

    def decode(self, target: Tensor, memory: Tensor, source_mask: Tensor | None = None) -> Tensor:
        x, bias = self.start(target), bias_of(source_mask)
        future = torch.full((target.shape[1], target.shape[1]), float("-inf")).triu(1)
        for layer in self.decoder:
            x = layer(x, future, memory, bias)
        return self.head(x)

    def forward(self, source: Tensor, target: Tensor, source_mask: Tensor | None = None) -> Tensor:
        memory = self.encode(source, source_mask)
        return self.decode(target, memory, source_mask)


def argmax(scores: list[float]) -> int:
    best = 0
    for index in range(1, len(scores)):
        if scores[index] > scores[best]:
            best = index
    return best


def translate(model, source: torch.Tensor, max_length: int) -> list[list[int]]:
    model.train(False)
    mask = torch.tensor([[token != PAD for token in row] for row in source.tolist()])
    memory = model.encode(source, mask)
    written: list[list[int]] = [[START] for _ in source]
    done = [False] * len(source)
    step = 0
    while step < max_length and not all(done):
        scores = model.decode(torch.tensor(written), memory, mask)[:, step].tolist()
        for row, sentence in enumerate(written):
            word = PAD if done[row] else argmax(scores[row])
            sentence.append(word)
            done[row] = done[row] or word == END
        step += 1
    return [[word for word in sentence if word not in (PAD, START, END)] for sentence in written]
