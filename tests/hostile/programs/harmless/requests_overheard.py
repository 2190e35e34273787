# catalogue: 28
# says: ATTEMPTED requests_overheard: args do kwargs method target
# Everything that a request holds: inputs, and nothing to compare an answer with.
from exercises.testkit.workbench import Workbench
from support import say

real = Workbench.__dict__.get("overheard", Workbench.answer)
Workbench.overheard = real


def overhear(self, request):
    if request["do"] == "call":
        say("requests_overheard", *sorted(request))
    return real(self, request)


Workbench.answer = overhear


def twice(x):
    return 2.0 * x
