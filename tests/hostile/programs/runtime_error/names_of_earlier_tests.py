# catalogue: own 30
# says: ATTEMPTED names_of_earlier_tests: looked through [1-9][0-9]{3,} pages, found 0\n(.*\n)*ATTEMPTED names_of_earlier_tests: looked through [0-9]+ pages, found 0
# After a crash the next process is a fork of the same ancestor, which may remember what it was told meanwhile.
import ctypes
import gc
import os
import re

from support import say

libc = ctypes.CDLL(None)
reading, writing = os.pipe()
needle = re.compile(b"secr" + b"et-[0-9a-f]{8}")
pages = found = 0
for region in sorted({id(thing) >> 20 for thing in gc.get_objects()})[-24:]:
    for page in range(region << 20, (region + 1) << 20, 4096):
        if libc.write(writing, ctypes.c_void_p(page), ctypes.c_size_t(4096)) == 4096:
            pages += 1
            found += len(needle.findall(os.read(reading, 4096)))
say("names_of_earlier_tests", f"looked through {pages} pages, found {found}")


def twice(x):
    os._exit(0)
