from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass
class LayerNorm:
    gain: Array
    bias: Array
    eps: float = 1e-5

    def __call__(self, x: Array) -> Array:
        centred = self.centre(x)
        centred /= self.spread(centred)
        centred *= self.gain
        centred += self.bias
        return centred[()]

    @staticmethod
    def centre(x: Array) -> Array:
        return np.subtract(x, np.average(x, axis=-1)[..., None])

    def spread(self, centred: Array) -> Array:
        return np.sqrt(np.mean(np.power(centred, 2), -1, keepdims=True) + self.eps)


def layer_norm(x: Array, gamma: Array, beta: Array, eps: float) -> Array:
    return LayerNorm(gamma, beta, eps)(x)


if __name__ == "__main__":
    print(layer_norm(np.arange(4.0), np.ones(4), np.zeros(4), 1e-5))
