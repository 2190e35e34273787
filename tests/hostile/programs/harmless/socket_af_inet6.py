# catalogue: 75
# says: ATTEMPTED socket_af_inet6: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_INET6, socket.SOCK_SEQPACKET if "AF_INET6" == "AF_ALG" else socket.SOCK_RAW if "AF_INET6" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_inet6: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_inet6:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
