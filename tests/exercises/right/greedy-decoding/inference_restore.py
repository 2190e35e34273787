import itertools

import support
import torch
from support import ScriptedModel


@torch.inference_mode()
def translate(model, source, max_length):
    was = model.training
    model.train(False)
    try:
        mask = source.ne(support.PAD)
        memory = model.encode(source, source_mask=mask)
        out = source.new_full((source.size(0), max_length + 1), support.PAD)
        out[:, 0] = support.START
        done = torch.zeros(source.size(0), dtype=torch.bool)
        for t in range(max_length):
            p = model.decode(out[:, : t + 1], memory, mask)[:, t].softmax(-1)
            w = p.topk(1).indices.squeeze(-1)
            out[:, t + 1] = torch.where(done, torch.tensor(support.END), w)
            done |= w.eq(support.END)
            if bool(done.all()):
                break
        return [
            list(itertools.takewhile(lambda k: k not in (support.END, support.PAD), row[1:].tolist())) for row in out
        ]
    finally:
        model.train(was)
