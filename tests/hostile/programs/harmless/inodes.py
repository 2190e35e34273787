# catalogue: 39
# says: ATTEMPTED inodes: (No space left on device|Permission denied|No such file or directory)
import os

try:
    for number in range(5000):
        os.close(os.open(f"/box/{number}", os.O_CREAT | os.O_WRONLY))
    print("ATTEMPTED inodes: IT WORKED", flush=True)
except OSError as error:
    print("ATTEMPTED inodes:", error.strerror, flush=True)

def twice(x):
    return 2.0 * x
