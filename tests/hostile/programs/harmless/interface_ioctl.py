# catalogue: own 74
# says: ATTEMPTED interface_ioctl: EPERM EPERM EPERM EPERM
# Questions to the network, to a terminal and to a file system, asked of a descriptor that is there.
from support import say, syscall

say("interface_ioctl", *(syscall(16, 3, request, 0) for request in (0x8912, 0x8927, 0x540E, 0xC0481273)))


def twice(x):
    return 2.0 * x
