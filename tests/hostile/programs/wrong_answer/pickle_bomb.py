# catalogue: 13
# says: ATTEMPTED pickle_bomb
import numpy as np

print("ATTEMPTED pickle_bomb", flush=True)


class Bomb:
    def __reduce__(self):
        return (print, ("RUN IN THE CHECKER",))


def twice(x):
    return Bomb()
