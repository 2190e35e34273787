# catalogue: 80
# stands: A D
# says: ATTEMPTED dripping_reply
import os


import time


def twice(x):
    print("ATTEMPTED dripping_reply", flush=True)
    os.write(3, b"GRD1" + bytes([3]) + bytes(8) + (1000).to_bytes(8, "little"))
    while True:
        os.write(3, b"a")
        time.sleep(0.05)
