"""With large logits your exponentials overflow, and ∞/∞ is NaN.

Subtract the largest logit from all of them first, or use `torch.softmax`, which does."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.d_model)

    def logits(self, x):
        return x @ self.embedding.weight.T

    def probabilities(self, x):
        scores = torch.exp(self.logits(x))
        return scores / scores.sum(dim=-1, keepdim=True)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
