import numpy as np


def a_new_exercise(x: np.ndarray) -> np.ndarray:
    """(n_rows, d) → (n_rows, d), the mean of every row being 0: Author (year), section."""
    return x - x.mean(axis=1, keepdims=True)
