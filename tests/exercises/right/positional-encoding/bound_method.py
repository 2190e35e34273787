import numpy as np


class Encoder:
    def __init__(self, base):
        self.base = base

    def encode(self, n_positions, d_model):
        k = np.arange(d_model)
        angle = np.einsum("p,k->pk", np.arange(n_positions), np.power(self.base, -(k - k % 2) / d_model))
        return np.choose(k % 2, [np.sin(angle), np.cos(angle)])


positional_encoding = Encoder(10000.0).encode
