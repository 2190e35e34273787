# catalogue: own 14
# says: ATTEMPTED replaced_codec
# Other modules under the names of the codec and the workbench.
import sys
import types

from support import say

fake = types.ModuleType("values")
fake.encode = lambda *_: b"T"
fake.decode = lambda *_, **__: {}
sys.modules["exercises.testkit.values"] = sys.modules["exercises.testkit.compare"] = fake
say("replaced_codec")


def twice(x):
    return 1.9 * x
