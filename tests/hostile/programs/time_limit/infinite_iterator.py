# catalogue: own 49
# says: ATTEMPTED infinite_iterator
import itertools

from support import say


def twice(x):
    say("infinite_iterator")
    return sum(itertools.repeat(1))
