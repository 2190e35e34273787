# catalogue: 51
# stands: A D
# says: ATTEMPTED stopped
import signal

from support import say


def twice(x):
    say("stopped")
    signal.raise_signal(signal.SIGSTOP)
    return 2.0 * x
