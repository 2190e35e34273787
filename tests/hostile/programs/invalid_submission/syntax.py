# catalogue: own
# says: Python cannot read line 3
def twice(x:
    return 2.0 * x
