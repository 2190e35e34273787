# catalogue: own
# says: does not define the function `twice`
twice = [2.0, 4.0, 6.0]
