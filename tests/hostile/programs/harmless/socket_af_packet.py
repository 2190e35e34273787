# catalogue: 79
# says: ATTEMPTED socket_af_packet: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_PACKET, socket.SOCK_SEQPACKET if "AF_PACKET" == "AF_ALG" else socket.SOCK_RAW if "AF_PACKET" in ("AF_PACKET", "AF_NETLINK") else socket.SOCK_STREAM)
    print("ATTEMPTED socket_af_packet: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED socket_af_packet:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
