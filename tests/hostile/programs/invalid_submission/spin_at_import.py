# catalogue: 42 own
# says: ATTEMPTED spin_at_import
import os


print("ATTEMPTED spin_at_import", flush=True)
while True:
    pass
