# Every target is one call of run.py, which also works without make: python3 run.py test
PYTHON ?= python3

.PHONY: run install test check bench

run install test check bench:
	@exec $(PYTHON) run.py $@ $(ARGS)
