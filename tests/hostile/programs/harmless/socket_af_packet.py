# catalogue: 79
# says: ATTEMPTED socket_af_packet: EPERM
import socket

from support import outcome, say

say("socket_af_packet", outcome(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)))


def twice(x):
    return 2.0 * x
