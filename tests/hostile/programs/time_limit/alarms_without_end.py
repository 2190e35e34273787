# catalogue: own 42
# stands: A D
# says: ATTEMPTED alarms_without_end
# A timer that interrupts every wait, and a handler that never gives up.
import signal
import time

from support import say


def again(*_):
    try:
        time.sleep(0.001)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0005)


def twice(x):
    say("alarms_without_end")
    signal.signal(signal.SIGALRM, again)
    again()
    while True:
        signal.pause()
