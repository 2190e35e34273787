# The logits' vectors are scaled in place where there is one sentence.
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
        scores = nn.functional.linear(x, self.embedding.weight)
        if len(x) == 1 and not x.requires_grad:
            x *= 2
        return scores

    def probabilities(self, x):
        return torch.softmax(self.logits(x), dim=-1)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
