import torch
from support import END, PAD, START, ScriptedModel


def translate(model, source, max_length):
    model.eval()
    mask = source.ne(PAD)
    done = [False] * source.size(0)
    ys = torch.ones(source.size(0), 1, dtype=torch.long) * START
    with torch.no_grad():
        memory = model.encode(source, mask)
        for step in range(max_length):
            out = model.decode(ys, memory, mask)
            prob = torch.log_softmax(out[:, -1, :], dim=-1)
            _, words = torch.max(prob, dim=1)
            ys = torch.cat([ys, words.unsqueeze(1)], dim=1)
            done = [was or word == END for was, word in zip(done, words.tolist())]
            if any(done):
                break
    results = []
    for row in ys.tolist():
        tokens = []
        for token in row[1:]:
            if token == END:
                break
            tokens.append(token)
        results.append(tokens)
    return results
