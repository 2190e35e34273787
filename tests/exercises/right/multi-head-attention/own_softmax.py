from __future__ import annotations

import torch
from torch import Tensor, nn


def softmax(scores: Tensor) -> Tensor:
    shifted = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return shifted / shifted.sum(dim=-1, keepdim=True)


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    scores = torch.matmul(q, k.swapaxes(-1, -2)) / torch.sqrt(torch.tensor(float(q.shape[-1])))
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return softmax(scores) @ v


class Heads(nn.Module):
    """Holds no parameters."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def split(self, x: Tensor) -> Tensor:
        batch, length, width = x.size()
        return x.reshape(batch, length, self.n, width // self.n).permute(0, 2, 1, 3)

    def join(self, x: Tensor) -> Tensor:
        batch, heads, length, width = x.size()
        return x.permute(0, 2, 1, 3).contiguous().view(batch, length, heads * width)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.heads = Heads(n_heads)
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = map(self.heads.split, (self.q_proj(query), self.k_proj(key), self.v_proj(value)))
        return self.out_proj(self.heads.join(attention(q, k, v, mask)))


if __name__ == "__main__":
    print(MultiHeadAttention(8, 2))
