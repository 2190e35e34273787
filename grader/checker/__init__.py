"""The checker: runs an exercise's tests against a learner in another process.

Confined itself, and only its report counts.
"""
