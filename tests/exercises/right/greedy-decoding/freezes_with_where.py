import torch
from support import END, PAD, START, ScriptedModel

assert ScriptedModel is not None


@torch.inference_mode()
def translate(model, source, max_length, verbose=True):
    """Sentences that have ended write PAD, in a tensor that is there from the beginning."""
    was_training = model.training
    model.eval()
    keep = source.ne(PAD)
    memory = model.encode(source, source_mask=keep)
    tokens = torch.full((source.size(0), max_length + 1), PAD)
    tokens[:, 0] = START
    finished = torch.zeros(source.size(0), dtype=torch.bool)
    for t in range(max_length):
        probabilities = torch.softmax(model.decode(tokens[:, : t + 1], memory, source_mask=keep)[:, t], dim=-1)
        word = torch.where(finished, PAD, probabilities.argmax(-1))
        finished = finished.logical_or(word == END)
        tokens[:, t + 1] = word
        if bool(finished.all()):
            break
    if verbose:
        print("took", t + 1, "steps")
    model.train(was_training)
    lengths = ((tokens[:, 1:] != PAD) & (tokens[:, 1:] != END)).cumprod(dim=1).sum(dim=1)
    return [list(row[1 : 1 + n]) for row, n in zip(tokens, lengths)]
