"""You draw the next word at random, so that equal calls give different translations.

Greedy decoding takes the best one every time: `argmax`."""

import torch
from support import END, PAD, START, ScriptedModel


@torch.no_grad()
def translate(model, source, max_length):
    model.eval()
    source_mask = source != PAD
    memory = model.encode(source, source_mask)
    target = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(max_length):
        logits = model.decode(target, memory, source_mask)
        following = torch.multinomial(torch.softmax(logits[:, -1], dim=-1), 1)[:, 0]
        target = torch.cat([target, following[:, None]], dim=1)
        ended = ended | (following == END)
        if ended.all():
            break
    return [until_end(tokens) for tokens in target[:, 1:].tolist()]


def until_end(tokens):
    return tokens[: tokens.index(END)] if END in tokens else tokens
