# catalogue: 77
# says: ATTEMPTED socket_af_unix: EPERM
import socket

from support import outcome, say

say("socket_af_unix", outcome(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)))


def twice(x):
    return 2.0 * x
