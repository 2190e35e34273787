# catalogue: own 58
# says: ATTEMPTED upper_half_of_arguments: EPERM EPERM EPERM$
# A filter compares 64-bit arguments, the kernel uses 32 of them: the forbidden hidden behind a high half.
import os

from support import say, syscall

high = 1 << 32
say("upper_half_of_arguments", syscall(302, high | os.getppid(), 7, 0, 0), syscall(72, 3, high | 6, 0), syscall(157, high | 22, 1, 0, 0, 0))


def twice(x):
    return 2.0 * x
