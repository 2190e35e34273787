import math

import numpy as np


def softmax_of_line(line):
    largest = max(line)
    exponentials = [math.exp(value - largest) for value in line]
    total = math.fsum(exponentials)
    return [value / total for value in exponentials]


def softmax(x, axis):
    return np.apply_along_axis(softmax_of_line, axis, x)
