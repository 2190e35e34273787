import torch
from torch import nn


class EmbeddingAndHead(nn.Module):
    """Loops where others index, and a softmax of its own."""

    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.register_buffer("root", torch.tensor(float(d_model)).sqrt())

    def embed(self, tokens):
        sentences = []
        for sentence in tokens.tolist():
            sentences.append(torch.stack([self.embedding.weight[token] for token in sentence]))
        return torch.stack(sentences) * self.root

    def logits(self, x):
        return torch.stack([sentence @ self.embedding.weight.t() for sentence in x])

    def probabilities(self, x):
        scores = self.logits(x)
        scores = torch.exp(scores - scores.max(dim=-1, keepdim=True)[0])
        return scores / scores.sum(dim=-1, keepdim=True)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))
