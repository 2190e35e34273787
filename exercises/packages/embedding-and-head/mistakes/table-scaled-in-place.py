"""You multiply the table itself by √d_model whenever something is embedded: it grows with every call, and the head
sees it too.

Scale the rows that you looked up, and leave the table alone."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def embed(self, tokens):
        self.embedding.weight.data.mul_(math.sqrt(self.d_model))
        return self.embedding(tokens)

    def logits(self, x):
        return x @ self.embedding.weight.T

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
