"""You made token 0 a padding token, so its row never learns from being read. Here every token is an ordinary one.

Leave `padding_idx=0` out."""

import math

import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.d_model)

    def logits(self, x):
        return x @ self.embedding.weight.T

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
