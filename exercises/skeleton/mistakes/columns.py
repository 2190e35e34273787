"""You took the mean of every column.

Axis 0 runs down a column. Each row needs its own mean: take it along axis 1, and keep that axis so that it broadcasts."""

import numpy as np


def a_new_exercise(x):
    return x - x.mean(axis=0, keepdims=True)
