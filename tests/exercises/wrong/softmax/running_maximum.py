# A running maximum: several logits of minus infinity at the start of a line give NaN.
import numpy as np


def softmax(x, axis):
    lines = np.moveaxis(x, axis, 0)
    largest, total = np.full(lines.shape[1:], -np.inf), np.zeros(lines.shape[1:])
    for logit in lines:
        new = np.maximum(largest, logit)
        total = total * np.exp(np.where(np.isneginf(largest), 0.0, largest - new)) + np.exp(logit - new)
        largest = new
    return np.moveaxis(np.exp(lines - largest) / total, 0, axis)
