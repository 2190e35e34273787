import math

import torch.nn as nn


class EmbeddingAndHead(nn.Module):
    """An nn.Linear as head, registered first, whose weight is the very tensor of the embedding."""

    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.head = nn.Linear(d_model, vocab_size, bias=False)
        self.embedding = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)
        self.head.weight = self.embedding.weight
        self.softmax = nn.Softmax(dim=-1)
        self.d_model = d_model

    def embed(self, tokens):
        return math.sqrt(self.d_model) * self.embedding(tokens)

    def logits(self, x):
        return self.head(x)

    def probabilities(self, x):
        return self.softmax(self.head(x))

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
