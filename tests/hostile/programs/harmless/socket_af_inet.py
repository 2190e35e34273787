# catalogue: 75
# says: ATTEMPTED socket_af_inet: EPERM
import socket

from support import outcome, say

say("socket_af_inet", outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)))


def twice(x):
    return 2.0 * x
