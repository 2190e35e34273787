# catalogue: own 80
# says: ATTEMPTED colliding_keys
# Integers that Python hashes to 0, as keys: building such a dictionary takes the square of their number.
import struct

import support

prime = 2**61 - 1
keys = [(k * prime).to_bytes((k * prime).bit_length() // 8 + 1, "little", signed=True) for k in range(5, 9_000)]
body = b"".join(b"I" + struct.pack("<I", len(key)) + key + b"N" for key in keys)
raw = b"d" + struct.pack("<I", 1) + b"s" + struct.pack("<I", 5) + b"value" + b"d" + struct.pack("<I", len(keys)) + body


def twice(x):
    support.say("colliding_keys")
    support.forge(raw)
