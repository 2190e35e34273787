# catalogue: own 91
# says: ATTEMPTED text_not_utf8
import struct

import support


def twice(x):
    support.say("text_not_utf8")
    support.forge(b"d" + struct.pack("<I", 1) + b"s" + struct.pack("<I", 5) + b"valu\xff" + b"N")
