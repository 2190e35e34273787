"""You squeeze every logit into 0 … 1 without looking at the others: that is the sigmoid. The weights of a line do not
add up to 1.

In softmax the logits of a line compete: divide each exponential by the sum of all the exponentials in its line.
"""

import numpy as np


def softmax(x, axis):
    return 1.0 / (1.0 + np.exp(-x))
