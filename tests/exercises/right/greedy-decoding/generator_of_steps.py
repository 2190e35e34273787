import itertools

import numpy as np
import torch
from support import END, PAD, START, ScriptedModel


def steps(model, memory, mask):
    target = np.full((len(mask), 1), START)
    while True:
        logits = model.decode(torch.from_numpy(target), memory, mask)
        following = logits[:, -1].numpy().argmax(axis=1)
        target = np.concatenate([target, following[:, None]], axis=1)
        yield following


def translate(model, source, max_length):
    model.eval()
    mask = source > PAD
    columns, seen = [], np.zeros(len(source), dtype=bool)
    for column in itertools.islice(steps(model, model.encode(source, mask), mask), max_length):
        columns.append(column)
        seen |= column == END
        if seen.all():
            break
    return [list(itertools.takewhile(lambda word: word != END, map(int, row))) for row in np.array(columns).T]
