"""You took one mean, of the whole array.

Then only all rows together have the mean 0. Say along which axis to take it: `x.mean(axis=1, keepdims=True)`."""

import numpy as np


def a_new_exercise(x):
    return x - x.mean()
