# catalogue: 77
# says: ATTEMPTED socket_af_unix: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET if "AF_UNIX" == "AF_ALG" else socket.SOCK_RAW if "AF_UNIX" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_unix: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_unix:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
