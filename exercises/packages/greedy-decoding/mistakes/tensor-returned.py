"""You return one tensor, filled up. But translations have different lengths.

Return a list with one list of numbers for each, cut at END."""

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
        if ended.all():
            break
    return target[:, 1:]
