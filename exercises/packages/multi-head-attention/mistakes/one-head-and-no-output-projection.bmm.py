import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super(MultiHeadAttention, self).__init__()
        self.d_model = d_model
        self.h = n_heads
        self.head_dim = d_model // n_heads
        self.out_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.register_buffer("scale", torch.sqrt(torch.tensor(float(d_model))))

    def forward(self, query, key, value, mask=None):
        Q = self.q_proj(query)
        K = self.k_proj(key)
        V = self.v_proj(value)
        energy = torch.bmm(Q, K.transpose(1, 2)) / self.scale
        if mask is not None:
            energy = energy.masked_fill(mask[:, 0] == 0, -1e9)
        attention = F.softmax(energy, dim=-1)
        x = torch.bmm(attention, V)
        return x
