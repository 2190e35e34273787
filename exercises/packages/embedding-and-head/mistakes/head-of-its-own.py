"""Your head is an `nn.Linear` with a weight of its own, so it is not tied: with 37,000 words and 512 dimensions that
is 19 million parameters too many.

Use `self.embedding.weight` in the head."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.d_model)

    def logits(self, x):
        return self.head(x)

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
