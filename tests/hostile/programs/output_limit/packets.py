# catalogue: own 40
# says: ^x{100}
# One byte a packet: each costs its reader a call.
import fcntl
import os

fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_DIRECT)


def twice(x):
    while True:
        os.write(1, b"x")
