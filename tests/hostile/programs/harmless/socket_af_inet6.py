# catalogue: 75
# says: ATTEMPTED socket_af_inet6: EPERM
import socket

from support import outcome, say

say("socket_af_inet6", outcome(lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM)))


def twice(x):
    return 2.0 * x
