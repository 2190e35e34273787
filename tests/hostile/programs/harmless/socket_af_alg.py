# catalogue: 79
# says: ATTEMPTED socket_af_alg: EPERM
import socket

from support import outcome, say

say("socket_af_alg", outcome(lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)))


def twice(x):
    return 2.0 * x
