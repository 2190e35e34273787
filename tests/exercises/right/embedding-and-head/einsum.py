from __future__ import annotations

import torch
from torch import Tensor, nn


def scale_of(table: Tensor) -> float:
    return float(table.shape[-1]) ** 0.5


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size: int, d_model: int, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings=vocab_size, embedding_dim=d_model)
        self.dropout = nn.Dropout(dropout)

    @property
    def table(self) -> Tensor:
        return self.embedding.weight

    def embed(self, tokens: Tensor) -> Tensor:
        print("embedding", tuple(tokens.shape))
        return self.dropout(self.table[tokens] * scale_of(self.table))

    def logits(self, x: Tensor) -> Tensor:
        return torch.einsum("btd,vd->btv", x, self.table)

    def probabilities(self, x: Tensor) -> Tensor:
        return torch.log_softmax(self.logits(x), dim=-1).exp()

    def forward(self, tokens: Tensor) -> Tensor:
        return self.logits(self.embed(tokens))
