# catalogue: own
# says: ATTEMPTED texts_that_deceive: \\x1b\[2J \\u202egnorw\\u2066 a\\rb \\x9b1A …/json/__init__.py
# What clears a terminal, turns a line round or overwrites it, and where this machine keeps its files.
import json
import sys
import warnings

import torch

TEXT = f"\x1b[2J \u202egnorw\u2066 a\rb \x9b1A {json.__file__}"
print("ATTEMPTED texts_that_deceive:", TEXT, flush=True)
print(torch.__file__, sys.prefix, sys.executable, sys.path, repr(json), file=sys.stderr)
warnings.warn_explicit(TEXT, UserWarning, json.__file__, 3)


class Deceives(Exception):
    pass


Deceives.__name__ = TEXT


def twice(x):
    raise Deceives(TEXT + f" {torch.nn}")
