# catalogue: own 34
# says: ATTEMPTED list_that_doubles
from support import say


def twice(x):
    say("list_that_doubles")
    items = [0]
    while True:
        items += items
