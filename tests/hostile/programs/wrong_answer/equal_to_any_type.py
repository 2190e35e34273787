# catalogue: own 8
# says: ATTEMPTED equal_to_any_type: True
# A class that is equal to every class: only identity tells it apart.
import numpy as np
from support import say


class Meta(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(np.ndarray)


class Liar(metaclass=Meta):
    pass


def twice(x):
    say("equal_to_any_type", Liar == np.ndarray)
    return Liar()
