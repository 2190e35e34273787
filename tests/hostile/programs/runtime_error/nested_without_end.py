# catalogue: own 48
# says: ATTEMPTED nested_without_end
import struct

import support


def twice(x):
    support.say("nested_without_end")
    support.forge((b"l" + struct.pack("<I", 1)) * 50_000 + b"N")
