"""You always run to `max_length` and cut afterwards. The result is right, but most of the work is for nothing.

Remember which sentences have had their END, and stop when all have."""

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
        following = logits[:, -1].argmax(dim=-1)
        target = torch.cat([target, following[:, None]], dim=1)
        ended = ended | (following == END)
    return [until_end(tokens) for tokens in target[:, 1:].tolist()]


def until_end(tokens):
    return tokens[: tokens.index(END)] if END in tokens else tokens
