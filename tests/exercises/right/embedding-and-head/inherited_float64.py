import torch
from torch import nn


class Embedder(nn.Module):
    def __init__(self, vocab_size, d_model):
        nn.Module.__init__(self)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.factor = d_model**0.5

    def embed(self, tokens):
        return self.embedding(tokens).mul(self.factor)


class EmbeddingAndHead(Embedder):
    """The head computes in float64 and answers in float32."""

    def logits(self, x, dtype=torch.float32):
        return nn.functional.linear(x.double(), self.embedding.weight.double()).to(dtype)

    def probabilities(self, x):
        return torch.softmax(self.logits(x, torch.float64), dim=-1).float()

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
