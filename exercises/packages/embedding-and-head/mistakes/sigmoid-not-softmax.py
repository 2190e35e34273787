"""A sigmoid gives every word a probability of its own, and they do not add up to 1. The words compete for one place.

Use a softmax over them."""

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
        return torch.sigmoid(self.logits(x))

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
