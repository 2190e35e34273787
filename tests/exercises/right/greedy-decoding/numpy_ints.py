import numpy as np
import torch
from support import END, PAD, START, ScriptedModel


def translate(model, source, max_length):
    model.eval()
    with torch.no_grad():
        mask = ~torch.eq(source, PAD)
        mem = model.encode(source, mask)
        ys = [torch.full((len(source),), START)]
        res = [[] for _ in source]
        live = set(range(len(source)))
        while live and len(ys) <= max_length:
            nxt = model.decode(torch.stack(ys, 1), mem, mask)[:, -1, :].max(-1)[1].numpy()
            ys.append(torch.from_numpy(nxt))
            for i in sorted(live):
                if nxt[i] == END:
                    live.discard(i)
                else:
                    res[i].append(nxt[i])
    return res
