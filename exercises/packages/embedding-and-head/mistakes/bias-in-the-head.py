"""The weight is tied, but your head still has a bias of its own, which the statement does not list.

Give the `nn.Linear` `bias=False`, or use no `nn.Linear` at all."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.head = nn.Linear(d_model, vocab_size)
        self.head.weight = self.embedding.weight

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.d_model)

    def logits(self, x):
        return self.head(x)

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
