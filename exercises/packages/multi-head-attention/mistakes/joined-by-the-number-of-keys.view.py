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
        self.register_buffer("scale", torch.sqrt(torch.tensor(float(self.head_dim))))

    def forward(self, query, key, value, mask=None):
        batch = query.size(0)
        Q = self.q_proj(query).reshape(batch, -1, self.h, self.head_dim).permute(0, 2, 1, 3)
        K = self.k_proj(key).reshape(batch, -1, self.h, self.head_dim).permute(0, 2, 1, 3)
        V = self.v_proj(value).reshape(batch, -1, self.h, self.head_dim).permute(0, 2, 1, 3)
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.scale
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e9)
        attention = F.softmax(energy, dim=-1)
        x = torch.matmul(attention, V)
        x = x.permute(0, 2, 1, 3).contiguous().view(batch, key.size(1), self.d_model)
        return self.out_proj(x)
