# catalogue: 42
# says: ATTEMPTED spin_ignoring_signals
import os


import signal


def twice(x):
    for number in range(1, 32):
        if number not in (9, 19):
            signal.signal(number, signal.SIG_IGN)
    print("ATTEMPTED spin_ignoring_signals", flush=True)
    while True:
        pass
