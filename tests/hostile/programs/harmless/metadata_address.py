# catalogue: 27
# says: ATTEMPTED metadata_address: PermissionError
import os
import socket
try:
    socket.create_connection(("169.254.169.254", 80), 1)
    print("ATTEMPTED metadata_address: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED metadata_address:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
