# catalogue: own 66
# says: ATTEMPTED calls_without_number: EPERM$
# Numbers that mean nothing yet, and negative ones: a new kernel's calls are refused before anybody hears of them.
from support import say, syscall

say("calls_without_number", *sorted({syscall(number, 0, 0, 0, 0, 0, 0) for number in (470, 600, 1023, 0x3FFFFFFF, -2)}))


def twice(x):
    return 2.0 * x
