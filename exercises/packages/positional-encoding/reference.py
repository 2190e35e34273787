import numpy as np


def positional_encoding(n_positions: int, d_model: int) -> np.ndarray:
    """Sinusoidal positional encoding, (n_positions, d_model), float64: Vaswani et al. 2017, section 3.5."""
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    pair = columns // 2
    angles = positions / 10000.0 ** (2 * pair / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
