# catalogue: 60
# says: ATTEMPTED random_state: fresh\nATTEMPTED random_state: fresh\nATTEMPTED random_state: fresh
# The state that one test leaves behind is not where the next begins.
import random

import numpy as np
import torch
from support import say

seen = (random.random(), np.random.random(), torch.rand(1).item())
random.seed(7), np.random.seed(7), torch.manual_seed(7)
known = (random.random(), np.random.random(), torch.rand(1).item())
say("random_state", "fresh" if not set(seen) & set(known) else "IT WORKED")
random.seed(7), np.random.seed(7), torch.manual_seed(7)


def twice(x):
    return 2.0 * x
