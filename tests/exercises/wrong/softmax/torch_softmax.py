# torch's own softmax.
import torch


def softmax(x, axis):
    return torch.softmax(torch.from_numpy(x), axis).numpy()
