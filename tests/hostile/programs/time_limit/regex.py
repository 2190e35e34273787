# catalogue: 49
# says: ATTEMPTED regex
import os


import re


def twice(x):
    print("ATTEMPTED regex", flush=True)
    re.match(r"(a+)+$", "a" * 60 + "b")
