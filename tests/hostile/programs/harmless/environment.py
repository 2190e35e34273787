# catalogue: 22
# says: ATTEMPTED environment: \['ATEN_CPU_CAPABILITY', ('LC_CTYPE', )?'MKL_CBWR', [A-Z_', ]*'PYTHONHASHSEED'\]$
import os

print("ATTEMPTED environment:", sorted(os.environ), flush=True)

def twice(x):
    return 2.0 * x
