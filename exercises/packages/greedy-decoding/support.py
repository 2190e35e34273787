"""A model that makes its translations up. It has the interface of your Transformer, and nothing to train.

    model = ScriptedModel({(5, 6): 2718, (7, 8, 9): 31}, vocab_size=20)

says that the sentence 5 6 is translated by the rule of number 2718. No translation is written down anywhere: each next
word is computed from that number and all words so far, and so is END. Like a real model it is easily led astray: by
padding that nothing hides, by a target that does not begin with START or that is not what it wrote, and by training
mode. Then it babbles.
"""

import zlib

import torch
from torch import nn

PAD, START, END = 0, 1, 2
BABBLE = (3, 4)
FIRST_WORD = 5
USUAL_LENGTH = 16  # one word in so many is END
LEAD = 0.0005  # of the best word's logit over the next best


def follow(state, token):
    """The state after `token`, which holds all that was written before."""
    return zlib.crc32(token.to_bytes(4, "little", signed=True), state)


def next_token(state, vocab_size):
    """The token that the model writes in this state."""
    if state % USUAL_LENGTH == 0:
        return END
    return FIRST_WORD + state // USUAL_LENGTH % (vocab_size - FIRST_WORD)


def babble(*seen):
    """Nonsense that depends, as a real model's does, on all that was seen."""
    return BABBLE[zlib.crc32(repr(seen).encode()) % 2]


class ScriptedModel(nn.Module):
    """`script` maps the tokens of a source sentence to the number whose rule translates it.

    `encoded` counts the calls of `encode`; `decoded` lists the shape of the target in every call of `decode`.
    """

    def __init__(self, script, vocab_size):
        super().__init__()
        self.script = {tuple(source): int(number) for source, number in script.items()}
        self.vocab_size = vocab_size
        self.dropout = nn.Dropout()  # a part, as real models have many: it has a training mode of its own
        self.encoded, self.decoded = 0, []

    def encode(self, source, source_mask=None):
        """source (batch, n_source), source_mask: True is a real token → memory (batch, n_source, 1)."""
        self.encoded += 1
        _check(source, "source")
        mask = _mask(source_mask, source.shape)
        confused = ((source == PAD) & mask).any(dim=1) | ((source != PAD) & ~mask).any(dim=1)
        confused |= self._in_training()
        return torch.where(confused[:, None], -1.0, source.float())[..., None]

    def decode(self, target, memory, source_mask=None):
        """target (batch, n_target), memory of `encode` → logits (batch, n_target, vocab_size)."""
        self.decoded.append(tuple(target.shape))
        _check(target, "target")
        if len(target) != len(memory):
            raise ValueError(f"the target has {len(target)} sentences, the memory {len(memory)}")
        mask = _mask(source_mask, memory.shape[:2])
        noise = torch.Generator().manual_seed(0)
        logits = torch.rand(*target.shape, self.vocab_size, generator=noise) - 5.0
        sentences = [tuple(row[real, 0].int().tolist()) for row, real in zip(memory, mask)]
        training = self._in_training()
        following = [self._following(*given, training) for given in zip(target.tolist(), sentences)]
        best = torch.tensor(following, dtype=torch.int64).reshape(*target.shape, 1)
        return logits.scatter(2, best, logits.amax(dim=2, keepdim=True) + LEAD)

    def _in_training(self):
        """Whether the model, or a part of it, is in training mode."""
        return any(module.training for module in self.modules())

    def _following(self, tokens, sentence, training):
        """What comes after each of `tokens`, given all up to it."""
        expected = None if training or sentence not in self.script else START
        state, following = self.script.get(sentence), []
        for place, token in enumerate(tokens):
            if token == expected != END:
                state = follow(state, token)
                expected = next_token(state, self.vocab_size)
                following.append(expected)
            else:
                expected = None
                following.append(babble(training, sentence, tokens[: place + 1]))
        return following


def _check(tokens, name):
    if not isinstance(tokens, torch.Tensor) or tokens.dtype != torch.int64 or tokens.ndim != 2:
        raise ValueError(f"the {name} must be an int64 tensor of shape (batch, length)")


def _mask(mask, shape):
    if mask is None:
        return torch.ones(shape, dtype=torch.bool)
    if mask.dtype != torch.bool or mask.shape != shape:
        raise ValueError(f"source_mask must be boolean and of shape {tuple(shape)}")
    return mask
