import math

import torch
from torch import nn

# Paste your accepted code here: positional_encoding (with torch, or turned into a float32 tensor), MultiHeadAttention,
# FeedForward, EncoderLayer and DecoderLayer.


class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model=512, n_heads=8, d_ff=2048, n_layers=6, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.encoder = nn.ModuleList()  # of n_layers EncoderLayers
        self.decoder = nn.ModuleList()  # of n_layers DecoderLayers
        self.dropout = nn.Dropout(dropout)

    def forward(self, source, target, source_mask=None):
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def encode(self, source, source_mask=None):
        """source (batch, n_source) → memory (batch, n_source, d_model); source_mask: True is a real token."""
        return self.embedding(source)

    def decode(self, target, memory, source_mask=None):
        """target (batch, n_target) → logits (batch, n_target, vocab_size)."""
        return self.embedding(target) @ self.embedding.weight.T
