import math

import torch
from torch import Tensor, nn


class EmbeddingAndHead(nn.Module):
    """One table at both ends of the model: Vaswani et al. 2017, section 3.4."""

    def __init__(self, vocab_size: int, d_model: int) -> None:
        super().__init__()
        self.scale = math.sqrt(d_model)
        self.embedding = nn.Embedding(vocab_size, d_model)

    def embed(self, tokens: Tensor) -> Tensor:
        """(B, T) whole numbers → (B, T, d_model)."""
        return self.embedding(tokens) * self.scale

    def logits(self, x: Tensor) -> Tensor:
        """(B, T, d_model) → (B, T, vocab_size)."""
        return x @ self.embedding.weight.T

    def probabilities(self, x: Tensor) -> Tensor:
        """(B, T, d_model) → (B, T, vocab_size), each row adding up to 1."""
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, T) whole numbers → logits (B, T, vocab_size), with no layer in between."""
        return self.logits(self.embed(tokens))
