# catalogue: 5
# says: ATTEMPTED forged_frame
import os


def twice(x):
    print("ATTEMPTED forged_frame", flush=True)
    os.write(3, b"GRD1" + bytes([3]) + bytes(8) + (4).to_bytes(8, "little") + b"NNNN")
    return 2.0 * x
