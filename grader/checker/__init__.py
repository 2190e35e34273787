"""The checker: runs an exercise's tests against a learner in another process. Confined itself; only its report counts."""
