# catalogue: 40
# says: ATTEMPTED print_flood
import os


def twice(x):
    print("ATTEMPTED print_flood", flush=True)
    while True:
        os.write(1, b"a" * 4096)
