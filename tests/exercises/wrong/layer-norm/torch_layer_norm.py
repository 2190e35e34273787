# torch's own layer normalisation.
import torch


def layer_norm(x, gamma, beta, eps):
    x, gamma, beta = map(torch.from_numpy, (x, gamma, beta))
    return torch.nn.functional.layer_norm(x, gamma.shape, gamma, beta, eps).numpy()
