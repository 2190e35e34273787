"""You translate one sentence after the other: the translations are right, but the model is asked anew for each, and a
batch of a hundred takes a hundred times as long.

Give `encode` the whole batch once, and let every call of `decode` ask for the next token of all sentences."""

import torch
from support import END, PAD, START, ScriptedModel


def translate(model, source, max_length):
    return [translate_one(model, source[i : i + 1], max_length)[0] for i in range(len(source))]


@torch.no_grad()
def translate_one(model, source, max_length):
    model.eval()
    source_mask = source != PAD
    memory = model.encode(source, source_mask)
    target = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_length):
        logits = model.decode(target, memory, source_mask)
        following = logits[:, -1].argmax(dim=-1)
        target = torch.cat([target, following[:, None]], dim=1)
        ended = ended | (following == END)
        if ended.all():
            break
    return [until_end(tokens) for tokens in target[:, 1:].tolist()]


def until_end(tokens):
    return tokens[: tokens.index(END)] if END in tokens else tokens
