# catalogue: 24 53
# says: ATTEMPTED files_of_others: (\[\]|refused)
import os

try:
    print("ATTEMPTED files_of_others:", os.listdir("/box"), flush=True)
    open("/box/left-for-the-next-one", "w").write("boo")
except OSError as error:
    print("ATTEMPTED files_of_others: refused", error, flush=True)

def twice(x):
    return 2.0 * x
