# catalogue: own 83
# says: ATTEMPTED third_truth
# A boolean that is neither true nor false: comparing it is undefined behaviour in C.
import struct

import support


def twice(x):
    support.say("third_truth")
    support.forge(b"d" + struct.pack("<I", 1) + b"s" + struct.pack("<I", 5) + b"value" + b"a" + struct.pack("<BBQ", 0, 1, 3) + b"\x02\xff\x80")
