# catalogue: 38
# says: ATTEMPTED tmpfs_full: (No such file or directory|No space left on device|File too large|Permission denied)
import os

try:
    for number in range(64):
        with open(f"/box/{number}", "wb") as file:
            file.write(bytes(1 << 20))
    print("ATTEMPTED tmpfs_full: IT WORKED", flush=True)
except OSError as error:
    print("ATTEMPTED tmpfs_full:", error.strerror, flush=True)
for name in os.listdir("/box") if os.path.isdir("/box") else ():
    os.unlink(f"/box/{name}")

def twice(x):
    return 2.0 * x
