# catalogue: 79
# says: ATTEMPTED socket_af_vsock: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_VSOCK, socket.SOCK_SEQPACKET if "AF_VSOCK" == "AF_ALG" else socket.SOCK_RAW if "AF_VSOCK" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_vsock: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_vsock:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
