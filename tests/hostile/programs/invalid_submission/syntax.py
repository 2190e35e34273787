# catalogue: own
# says: Python 3.\d+ cannot read line 3
def twice(x:
    return 2.0 * x
