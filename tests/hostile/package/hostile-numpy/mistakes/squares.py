"""You squared `x`.

Double it instead."""

HIDDEN = "{{SECRET}}"


def twice(x):
    return x * x
