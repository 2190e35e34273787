"""Performance, as ratios measured in one run. `python3 run.py bench`."""
