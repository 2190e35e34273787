import numpy as np


def positional_encoding(n_positions, d_model):
    """Sinusoidal positional encoding: an array of shape (n_positions, d_model)."""
    encoding = np.zeros((n_positions, d_model))
    # Fill the even columns with sines and the odd ones with cosines.
    return encoding
