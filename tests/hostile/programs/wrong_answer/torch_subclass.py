# catalogue: 11
# says: ATTEMPTED torch_subclass
import torch

print("ATTEMPTED torch_subclass", flush=True)


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *a, **k):
        return True


def twice(x):
    return torch.zeros(x.shape).as_subclass(Liar)
