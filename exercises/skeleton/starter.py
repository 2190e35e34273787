import numpy as np


def a_new_exercise(x):
    """(n_rows, d) → (n_rows, d), the mean of every row being 0."""
    result = np.zeros(x.shape)
    # Say here what is to be done, not how.
    return result
