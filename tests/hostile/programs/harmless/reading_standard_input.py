# catalogue: own 26
# says: ATTEMPTED reading_standard_input: ''
import sys

from support import say

say("reading_standard_input", repr(sys.stdin.read()))


def twice(x):
    return 2.0 * x
