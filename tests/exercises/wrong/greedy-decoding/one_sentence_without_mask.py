# A single sentence gets no mask.
import torch
from support import END, PAD, START, ScriptedModel  # ScriptedModel is for the tests, which make their models with it
from torch import Tensor, nn


@torch.no_grad()
def translate(model: nn.Module, source: Tensor, max_length: int) -> list[list[int]]:
    """The best next word, again and again: source (B, S), padded → at most max_length tokens for every sentence."""
    model.eval()
    source_mask = source != PAD
    memory = model.encode(source, source_mask if len(source) > 1 else None)
    target = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    if len(source) == 1:
        source_mask = None
    for _ in range(max_length):
        following = model.decode(target, memory, source_mask)[:, -1].argmax(dim=-1)
        target = torch.cat([target, following[:, None]], dim=1)
        ended |= following == END
        if ended.all():
            break
    return [_until_end(tokens) for tokens in target[:, 1:].tolist()]


def _until_end(tokens: list[int]) -> list[int]:
    return tokens[: tokens.index(END)] if END in tokens else tokens
