# catalogue: 9
# says: ATTEMPTED array_function_liar
import numpy as np

print("ATTEMPTED array_function_liar", flush=True)


class Liar(np.ndarray):
    def __array_ufunc__(self, *a, **k):
        return np.array(True)

    def __array_function__(self, *a, **k):
        return True


def twice(x):
    return np.zeros(x.shape).view(Liar)
