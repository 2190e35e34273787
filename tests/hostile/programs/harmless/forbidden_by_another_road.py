# catalogue: 90
# says: ATTEMPTED forbidden_by_another_road: einsum
# What is forbidden is advice, as documented: by a determined road it can be reached. It is right, so it is accepted.
import sys

from support import say

hidden = sys.modules["numpy._core.einsumfunc"].einsum
say("forbidden_by_another_road", hidden.__name__)


def twice(x):
    return hidden("...,->...", x, 2.0)
