from __future__ import annotations

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    def __init__(self, p: float) -> None:
        super().__init__()
        self.keep = 1.0 - p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        return x * torch.bernoulli(torch.full_like(x, self.keep)) / self.keep


class FeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int = 2048, dropout: float = 0.1) -> None:
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff, bias=True)
        self.linear2 = nn.Linear(d_ff, d_model, bias=True)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.linear1(x)
        hidden = torch.where(hidden > 0, hidden, 0.0)
        return self.linear2(self.dropout(hidden))


if __name__ == "__main__":
    print(FeedForward(4)(torch.zeros(1, 2, 4)).shape)
