"""You look the rows up without their history, in `weight.data` or after `detach()`, so the table does not learn from
the words it reads.

Use `self.embedding(tokens)`."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def embed(self, tokens):
        return self.embedding.weight.data[tokens] * math.sqrt(self.d_model)

    def logits(self, x):
        return x @ self.embedding.weight.T

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
