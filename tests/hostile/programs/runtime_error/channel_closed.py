# catalogue: own
# says: ATTEMPTED channel_closed
import os


def twice(x):
    print("ATTEMPTED channel_closed", flush=True)
    os.close(3)
    return 2.0 * x
