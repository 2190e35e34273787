# catalogue: own 42
# says: ATTEMPTED exception_swallowed
from support import say


def twice(x):
    say("exception_swallowed")
    while True:
        try:
            while True:
                raise KeyboardInterrupt
        except BaseException:
            continue
