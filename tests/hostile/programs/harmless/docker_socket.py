# catalogue: 25
# says: ATTEMPTED docker_socket: (FileNotFoundError|PermissionError|OSError)
import os

try:
    os.stat("/var/run/docker.sock") and open("/var/run/docker.sock")
    print("ATTEMPTED docker_socket: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED docker_socket:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
