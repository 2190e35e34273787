# Whole tokens are dropped, not single values.
import torch
from torch import Tensor, nn


class FeedForward(nn.Module):
    """The position-wise feed-forward network: Vaswani et al. 2017, section 3.3."""

    def __init__(self, d_model: int, d_ff: int = 2048, dropout: float = 0.1) -> None:
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout1d(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_model) → (B, T, d_model)."""
        return self.linear2(self.dropout(torch.relu(self.linear1(x))))
