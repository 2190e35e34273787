# catalogue: own 48
# says: ATTEMPTED alarm
import signal

from support import say


def twice(x):
    say("alarm")
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while True:
        pass
