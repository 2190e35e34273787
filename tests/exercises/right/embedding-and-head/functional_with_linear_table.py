import torch
import torch.nn.functional as F
from torch import nn


class EmbeddingAndHead(nn.Module):
    """The table is the weight of a linear layer without bias, called embedding."""

    def __init__(self, vocab_size: int, d_model: int):
        super().__init__()
        self.embedding = nn.Linear(d_model, vocab_size, bias=False)

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        table = self.embedding.weight
        return F.embedding(tokens, table) * table.size(1) ** 0.5

    def logits(self, x):
        return self.embedding(x)

    def probabilities(self, x):
        return F.softmax(self.logits(x), dim=2)

    def forward(self, tokens):
        return self.logits(self.embed(tokens))


if __name__ == "__main__":
    print(EmbeddingAndHead(5, 4))
