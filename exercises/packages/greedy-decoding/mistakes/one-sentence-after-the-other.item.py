import torch
from support import END, PAD, START, ScriptedModel


def translate(model, source, max_length):
    model.eval()
    results = []
    with torch.no_grad():
        for sentence in source:
            sentence = sentence.unsqueeze(0)
            mask = sentence != PAD
            memory = model.encode(sentence, mask)
            tokens = [START]
            while len(tokens) <= max_length:
                logits = model.decode(torch.tensor([tokens]), memory, mask)
                token = logits[0, -1].argmax().item()
                if token == END:
                    break
                tokens.append(token)
            results.append(tokens[1:])
    return results
