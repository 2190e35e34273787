# catalogue: own 4
# says: ATTEMPTED prints_from_the_grave
from support import say


class Grave:
    def __del__(self):
        print('{"verdict": "accepted", "score": 1000}', flush=True)


grave = Grave()
say("prints_from_the_grave")


def twice(x):
    return 2.0 * x
