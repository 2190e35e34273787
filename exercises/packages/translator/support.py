"""The tokens that are no words. The first two of them stand in every batch, the last ends every translation."""

PAD, START, END = 0, 1, 2
