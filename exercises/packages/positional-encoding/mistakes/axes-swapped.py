"""Rows and columns have changed places: in your result the positions run along the columns, and the dimensions down
the rows.

Return the transpose of what you have, `encoding.T`, or build the array with one row for each position from the
start.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)[:, None]
    angles = np.arange(n_positions)[None, :] / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))
