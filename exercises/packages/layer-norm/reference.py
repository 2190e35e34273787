import numpy as np


def layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float) -> np.ndarray:
    """Layer normalisation over the last axis of x, (..., d): Ba, Kiros and Hinton 2016, arXiv:1607.06450."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta
