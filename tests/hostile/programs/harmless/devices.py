# catalogue: own 24
# says: ATTEMPTED devices: (E(ACCES|NOENT|PERM|NXIO) ?){8}$
import os

from support import outcome, say

names = ("mem", "kmsg", "fuse", "kvm", "net/tun", "tty", "ptmx", "shm/x")
say("devices", *(outcome(lambda: os.open(f"/dev/{name}", os.O_RDWR)) for name in names))


def twice(x):
    return 2.0 * x
