import numpy as np
import torch


def apply_rope(x, positions, base):
    """Angles by numpy (they need no gradient), tokens moved to the front and back again: the result is a view."""
    d = x.shape[-1]
    angles = np.outer(positions.numpy(), float(base) ** (-2.0 * (np.arange(d) // 2) / d))
    shape = (len(positions),) + (1,) * (x.dim() - 2) + (d,)
    cos = torch.from_numpy(np.cos(angles)).reshape(shape)
    sin = torch.from_numpy(np.sin(angles) * np.where(np.arange(d) % 2, 1.0, -1.0)).reshape(shape)
    moved = x.movedim(-2, 0)
    partner = moved.unflatten(-1, (d // 2, 2)).flip(-1).flatten(-2)
    return (cos * moved + sin * partner).to(x.dtype).movedim(0, -2)
