# catalogue: own 8
# says: ATTEMPTED truthy_text
from support import say


def twice(x):
    say("truthy_text")
    return "array([2., 4., 6.])"
