"""What stands beside your code: the tokens that are no words, and how the page finds out where your decoder looks."""

import torch

PAD, START, END = 0, 1, 2  # the first two stand in every batch, the last ends every translation


@torch.no_grad()
def cross_attention(model, source, target):
    """How much each word of one sentence, source (1, S), counts for the word after each of target (1, T): (T, S).

    It is asked of your own last decoder layer, and averaged over its heads. Whatever a head's values are, it returns
    their weighted mean. So let the value be 1 for one word of the source and 0 for all others: what then arrives at
    out_proj is the weight of that word.
    """
    attention = [module for name, module in model.named_modules() if name.split(".")[-1] == "cross_attn"][-1]
    model.eval()
    columns = []
    for place in range(source.shape[1]):
        arrived = []
        hooks = [
            attention.v_proj.register_forward_hook(lambda module, inputs, values: only(place, source.shape[1], values)),
            attention.out_proj.register_forward_pre_hook(lambda module, inputs: arrived.append(inputs[0])),
        ]
        try:
            model(source, target, source != PAD)
        finally:
            for hook in hooks:
                hook.remove()
        columns.append(arrived[-1].mean(dim=-1).flatten())
    return torch.stack(columns, dim=1)


def only(place, length, values):
    """1 for the word at `place`, 0 for every other. The axis of the words is the one of their number."""
    axis = values.shape.index(length)
    return torch.zeros_like(values).index_fill(axis, torch.tensor(place), 1.0)
