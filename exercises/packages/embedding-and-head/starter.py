import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)

    def embed(self, tokens):
        """tokens (batch, n_tokens) → their vectors (batch, n_tokens, d_model)."""
        return self.embedding(tokens)

    def logits(self, x):
        """x (batch, n_tokens, d_model) → one score for every word (batch, n_tokens, vocab_size)."""
        # The head has no weights of its own.
        return x

    def probabilities(self, x):
        """x (batch, n_tokens, d_model) → the probability of every word (batch, n_tokens, vocab_size)."""
        return self.logits(x)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
