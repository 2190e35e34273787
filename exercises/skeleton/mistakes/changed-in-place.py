"""Your values are right, but you changed the array that you were given.

`-=` writes into it. Compute a new one instead: `x - …`."""

import numpy as np


def a_new_exercise(x):
    x -= x.mean(axis=1, keepdims=True)
    return x
