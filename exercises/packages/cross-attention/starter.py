import torch
from torch import nn

# Your accepted MultiHeadAttention may go here: CrossAttention can inherit from it.


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory, memory_mask=None):
        """x (batch, n_tokens, d_model); memory (batch, n_memory, d_model); memory_mask: True is a real token."""
        # Here every token of x must look into the memory, and nowhere else.
        return self.out_proj(torch.zeros_like(x))
