import torch
from support import END, PAD, START, ScriptedModel


@torch.no_grad()
def translate(model, source, max_length):
    model.eval()
    mask = source.ne(PAD)
    memory = model.encode(source, mask)
    translations = []
    for b in range(source.size(0)):
        ys = torch.ones(1, 1, dtype=torch.long).fill_(START)
        for _ in range(max_length):
            out = model.decode(ys, memory[b : b + 1], mask[b : b + 1])
            _, word = torch.max(out[:, -1], dim=1)
            if word.item() == END:
                break
            ys = torch.cat([ys, word.unsqueeze(1)], dim=1)
        translations.append(ys[0, 1:].tolist())
    return translations
