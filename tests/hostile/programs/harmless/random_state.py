# catalogue: 60
# says: ATTEMPTED random_state: fresh\nATTEMPTED random_state: fresh\nATTEMPTED random_state: fresh
# The state that loading or one test leaves behind is not where the next begins.
import random

import numpy as np
import torch
from support import say


def seed():
    random.seed(7), np.random.seed(7), torch.manual_seed(7)


def drawn():
    return random.random(), np.random.random(), torch.rand(1).item()


seed()
known = drawn()
seed()


def twice(x):
    say("random_state", "IT WORKED" if set(drawn()) & set(known) else "fresh")
    seed()
    return 2.0 * x
