# catalogue: 47 81
# says: ATTEMPTED huge_header
import os


def twice(x):
    print("ATTEMPTED huge_header", flush=True)
    os.write(3, b"GRD1" + bytes([3]) + bytes(8) + (16 << 30).to_bytes(8, "little"))
    return 2.0 * x
