import numpy as np


def softmax(x):
    y = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return y / np.sum(y, axis=-1, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    seq_len = q.shape[-2]
    attn = np.matmul(q, np.swapaxes(k, -2, -1)) / np.sqrt(q.shape[-1])
    allow = np.tril(np.ones((seq_len, seq_len))).astype(bool)
    if padding_mask is not None:
        allow = allow & padding_mask
    attn = np.where(allow, attn, -10000.0)
    w = softmax(attn)
    w = w * allow.any(axis=-1, keepdims=True)
    return np.matmul(w, v)
