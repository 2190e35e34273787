# catalogue: own 47
# says: ATTEMPTED impossible_empty_shape
# Nothing, of a shape whose strides no number can hold; told at loading, where an error would be ours.
import struct

import support

support.say("impossible_empty_shape")
support.forge(b"l" + struct.pack("<I", 1) + b"a" + struct.pack("<BB8Q", 11, 8, *[1 << 63] * 7, 0))


def twice(x):
    return 2.0 * x
