# catalogue: 14 80
# says: ATTEMPTED garbage_on_the_wire
import os


def twice(x):
    print("ATTEMPTED garbage_on_the_wire", flush=True)
    os.write(3, b"HTTP/1.1 200 OK" * 10)
    os._exit(0)
