from __future__ import annotations

import torch
from support import *


def argmax(scores: list[float]) -> int:
    best = 0
    for index in range(1, len(scores)):
        if scores[index] > scores[best]:
            best = index
    return best


def translate(model, source: torch.Tensor, max_length: int) -> list[list[int]]:
    model.train(False)
    mask = torch.tensor([[token != PAD for token in row] for row in source.tolist()])
    memory = model.encode(source, mask)
    written: list[list[int]] = [[START] for _ in source]
    done = [False] * len(source)
    step = 0
    while step < max_length and not all(done):
        scores = model.decode(torch.tensor(written), memory, mask)[:, step].tolist()
        for row, sentence in enumerate(written):
            word = PAD if done[row] else argmax(scores[row])
            sentence.append(word)
            done[row] = done[row] or word == END
        step += 1
    return [[word for word in sentence if word not in (PAD, START, END)] for sentence in written]


if __name__ == "__main__":
    print(translate(ScriptedModel({(5,): [6, 7]}, 10), torch.tensor([[5]]), 4))
