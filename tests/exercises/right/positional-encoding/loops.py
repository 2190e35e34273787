import math

import numpy as np


def positional_encoding(n_positions, d_model):
    rows = []
    for pos in range(n_positions):
        row = []
        for column in range(d_model):
            angle = pos / math.pow(10000, 2 * (column // 2) / d_model)
            row.append(math.sin(angle) if column % 2 == 0 else math.cos(angle))
        rows.append(row)
    return np.array(rows)
