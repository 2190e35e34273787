# catalogue: 88
# says: ATTEMPTED random_answers
import numpy as np
from support import say


def twice(x):
    say("random_answers")
    return 2.0 * x + np.random.default_rng().choice([-1.0, 1.0])
