# The result is a torch tensor.
import numpy as np
import torch


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return torch.from_numpy(exponentials / exponentials.sum(axis=axis, keepdims=True))
