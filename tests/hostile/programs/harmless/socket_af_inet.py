# catalogue: 75
# says: ATTEMPTED socket_af_inet: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_INET, socket.SOCK_SEQPACKET if "AF_INET" == "AF_ALG" else socket.SOCK_RAW if "AF_INET" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_inet: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_inet:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
