# catalogue: 79
# says: ATTEMPTED socket_af_vsock: EPERM
import socket

from support import outcome, say

say("socket_af_vsock", outcome(lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)))


def twice(x):
    return 2.0 * x
