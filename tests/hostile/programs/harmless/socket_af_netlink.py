# catalogue: 79
# says: ATTEMPTED socket_af_netlink: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_NETLINK, socket.SOCK_SEQPACKET if "AF_NETLINK" == "AF_ALG" else socket.SOCK_RAW if "AF_NETLINK" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_netlink: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_netlink:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
