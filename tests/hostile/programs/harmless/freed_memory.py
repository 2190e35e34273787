# catalogue: 30
# says: ATTEMPTED freed_memory: looked through [1-9][0-9]{3,} pages, found 0
# Whatever Python's heap still holds of freed objects, read by a call that answers EFAULT instead of crashing.
import ctypes
import gc
import os
import re
import sys

from support import say

if not hasattr(sys, "looked"):
    sys.looked = True
    libc = ctypes.CDLL(None)
    reading, writing = os.pipe()
    needle = re.compile(b"secr" + b"et-[0-9a-f]{8}")
    pages = found = 0
    for region in sorted({id(thing) >> 20 for thing in gc.get_objects()})[-24:]:
        for page in range(region << 20, (region + 1) << 20, 4096):
            if libc.write(writing, ctypes.c_void_p(page), ctypes.c_size_t(4096)) == 4096:
                pages += 1
                found += len(needle.findall(os.read(reading, 4096)))
    say("freed_memory", f"looked through {pages} pages, found {found}")


def twice(x):
    return 2.0 * x
