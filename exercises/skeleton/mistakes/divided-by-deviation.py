"""You also divided by the standard deviation.

That is standardising. Here only the mean is taken away; the rows keep their spread."""

import numpy as np


def a_new_exercise(x):
    return (x - x.mean(axis=1, keepdims=True)) / (x.std(axis=1, keepdims=True) + 1e-9)
