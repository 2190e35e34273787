# catalogue: own 83
# says: ATTEMPTED unknown_dtype
import struct

import support


def twice(x):
    support.say("unknown_dtype")
    support.forge(b"d" + struct.pack("<I", 1) + b"s" + struct.pack("<I", 5) + b"value" + b"a" + struct.pack("<BBQ", 255, 255, 3) + bytes(64))
