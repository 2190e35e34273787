import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    """Computes in float64 and answers in float32."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def project(self, layer, x):
        return F.linear(x.double(), layer.weight.double(), layer.bias.double())

    def split(self, x):
        return torch.stack(torch.tensor_split(x, self.heads, dim=-1), dim=1)

    def forward(self, x, memory, memory_mask=None):
        q = self.split(self.project(self.q_proj, x))
        k = self.split(self.project(self.k_proj, memory))
        v = self.split(self.project(self.v_proj, memory))
        scores = torch.matmul(q, k.transpose(2, 3)) / torch.sqrt(torch.tensor(float(q.shape[-1])))
        if memory_mask is not None:
            blocked = (~memory_mask).view(memory_mask.shape[0], 1, 1, -1).expand_as(scores)
            scores[blocked] = -torch.inf
        heads = F.softmax(scores, dim=-1) @ v
        return self.project(self.out_proj, torch.cat(list(heads.unbind(1)), dim=-1)).float()
