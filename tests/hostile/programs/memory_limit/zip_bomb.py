# catalogue: 46
# says: ATTEMPTED zip_bomb
import os


import io
import zlib


def twice(x):
    bomb = zlib.compress(bytes(40 << 20), 9)
    print("ATTEMPTED zip_bomb", flush=True)
    return [zlib.decompress(bomb) for _ in range(4)]
