import torch
from support import END, PAD, START, ScriptedModel


def translate(model, source, max_length):
    """Sentences that have ended leave the batch."""
    model.eval()
    results = [[] for _ in range(len(source))]
    with torch.no_grad():
        mask = source != PAD
        memory = model.encode(source, mask)
        alive = torch.arange(len(source))
        target = torch.full((len(source), 1), START, dtype=torch.long)
        while len(alive) and target.shape[1] <= max_length:
            logits = model.decode(target, memory[alive], mask[alive])
            best = logits[:, -1, :].max(dim=-1).indices
            going = best != END
            alive, target, best = alive[going], target[going], best[going]
            target = torch.cat((target, best.unsqueeze(-1)), -1)
            for index, word in zip(alive.tolist(), best.tolist()):
                results[index].append(word)
    return results
