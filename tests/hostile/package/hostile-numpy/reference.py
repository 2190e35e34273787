"""{{SECRET}}"""

HIDDEN = "{{SECRET}}"


def twice(x):
    return 2.0 * x
