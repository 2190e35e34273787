# catalogue: own 44
# says: ATTEMPTED big_power
# One instruction of Python, minutes in C without letting go of the interpreter.
from support import say


def twice(x):
    say("big_power")
    return 3 ** (7**9) % 10
