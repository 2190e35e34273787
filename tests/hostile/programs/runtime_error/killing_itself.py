# catalogue: 44 own
# says: ATTEMPTED killing_itself
import os


def twice(x):
    print("ATTEMPTED killing_itself", flush=True)
    import signal

    signal.raise_signal(signal.SIGABRT)
