# catalogue: 33
# says: ATTEMPTED thread: RuntimeError can't start new thread
import os
import threading
try:
    threading.Thread(target=print).start()
    print("ATTEMPTED thread: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED thread:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
