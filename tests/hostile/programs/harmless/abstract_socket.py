# catalogue: 78
# says: ATTEMPTED abstract_socket: PermissionError
import os
import socket
try:
    socket.socket(socket.AF_UNIX).connect("\0gradus-slot-0")
    print("ATTEMPTED abstract_socket: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED abstract_socket:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
