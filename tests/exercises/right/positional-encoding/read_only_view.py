import numpy as np

TABLE = np.zeros((0, 0))


def positional_encoding(n_positions, d_model):
    global TABLE
    column = np.arange(d_model)
    angle = np.arange(n_positions + 3)[:, None] / 10000 ** ((column - column % 2) / d_model)
    TABLE = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    TABLE.flags.writeable = False
    return TABLE[:n_positions]
