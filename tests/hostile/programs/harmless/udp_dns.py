# catalogue: 76
# says: ATTEMPTED udp_dns: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"a", ("127.0.0.1", 53))
    print("ATTEMPTED udp_dns: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED udp_dns:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
