# The same values are dropped in every call.
import torch
from torch import Tensor, nn


class FixedDrop(nn.Dropout):
    def forward(self, x):
        if not self.training or not self.p:
            return x
        g = torch.Generator().manual_seed(0)
        return x * (torch.rand(x.shape, generator=g) >= self.p) / (1 - self.p)


class FeedForward(nn.Module):
    """The position-wise feed-forward network: Vaswani et al. 2017, section 3.3."""

    def __init__(self, d_model: int, d_ff: int = 2048, dropout: float = 0.1) -> None:
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = FixedDrop(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_model) → (B, T, d_model)."""
        return self.linear2(self.dropout(torch.relu(self.linear1(x))))
