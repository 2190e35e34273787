"""You squared `x`."""

HIDDEN = "{{SECRET}}"


def twice(x):
    return x * x
