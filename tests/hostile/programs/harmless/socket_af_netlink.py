# catalogue: 79
# says: ATTEMPTED socket_af_netlink: EPERM
import socket

from support import outcome, say

say("socket_af_netlink", outcome(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)))


def twice(x):
    return 2.0 * x
