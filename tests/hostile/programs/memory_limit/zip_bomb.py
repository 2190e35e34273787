# catalogue: 46
# says: ATTEMPTED zip_bomb: [0-9]{4,6} bytes
# A megabyte of zeros, packed once and repeated: 200 KB that unpack to 200 MB.
import zlib

from support import say

packer = zlib.compressobj(wbits=-15)
bomb = (packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)) * 200 + packer.flush()
say("zip_bomb", len(bomb), "bytes")


def twice(x):
    return len(zlib.decompress(bomb, wbits=-15))
