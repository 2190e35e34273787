from __future__ import annotations

import warnings

import torch
from torch import Tensor, nn


class Table(nn.Module):
    def __init__(self, rows: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(rows, width))

    def forward(self, index: Tensor) -> Tensor:
        return self.weight.index_select(0, index)


def check(last: int, max_len: int) -> None:
    if last >= max_len:
        raise ValueError(f"{max_len} positions are all there are; {last} is not among them.")


class LearnedPositions(nn.Module):
    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        warnings.warn("starting at zero", stacklevel=1)
        self.embedding = Table(max_len, d_model)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        length = x.shape[-2]
        check(offset + length - 1, self.embedding.weight.size(0))
        return torch.add(x, self.embedding(torch.arange(length) + offset))
