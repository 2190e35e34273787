# catalogue: own 15
# says: ATTEMPTED not_quite_finite
# Complex, with NaN where only the imaginary part is looked at by nobody.
import numpy as np
from support import say


def twice(x):
    say("not_quite_finite")
    return 2.0 * x + 1j * np.nan
