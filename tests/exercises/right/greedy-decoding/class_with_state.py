import torch
from support import END, PAD, START, ScriptedModel
from torch import nn


class Hypothesis:
    """One sentence as it is written."""

    def __init__(self):
        self.words = []
        self.over = False

    def take(self, word):
        if self.over:
            return
        if word == END:
            self.over = True
        else:
            self.words.append(word)


class Greedy:
    def __init__(self, model: nn.Module, limit: int):
        self.model, self.limit = model.eval(), limit

    def __call__(self, source):
        mask = ~(source == PAD)
        memory = self.model.encode(source, mask)
        target = torch.ones_like(source[:, :1]) * START
        hypotheses = [Hypothesis() for _ in range(source.shape[0])]
        for _ in range(self.limit):
            words = torch.topk(self.model.decode(target, memory, mask)[:, -1], k=1).indices
            target = torch.hstack([target, words])
            for hypothesis, word in zip(hypotheses, words.flatten().tolist()):
                hypothesis.take(word)
            if all(hypothesis.over for hypothesis in hypotheses):
                break
        return [hypothesis.words for hypothesis in hypotheses]


def translate(model, source, max_length):
    with torch.no_grad():
        return Greedy(model, max_length)(source)
