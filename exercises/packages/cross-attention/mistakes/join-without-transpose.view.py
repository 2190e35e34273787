import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super(CrossAttention, self).__init__()
        self.d_model = d_model
        self.h = n_heads
        self.head_dim = d_model // n_heads
        self.out_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory, memory_mask=None):
        B, T, S = x.size(0), x.size(1), memory.size(1)
        Q = self.q_proj(x).view(B, T, self.h, self.head_dim).transpose(1, 2)
        K = self.k_proj(memory).view(B, S, self.h, self.head_dim).transpose(1, 2)
        V = self.v_proj(memory).view(B, S, self.h, self.head_dim).transpose(1, 2)
        energy = torch.matmul(Q, K.transpose(2, 3)) / self.head_dim**0.5
        if memory_mask is not None:
            energy = energy.masked_fill(memory_mask.view(B, 1, 1, S) == 0, -1e9)
        out = torch.matmul(F.softmax(energy, dim=-1), V)
        out = out.contiguous().view(B, T, self.d_model)
        return self.out_proj(out)
