import torch
from support import END, PAD, START, ScriptedModel  # keep ScriptedModel: the tests make their models with it


def translate(model, source, max_length):
    """source (batch, n_source), filled up with PAD → one list of tokens for every sentence."""
    model.eval()
    source_mask = source != PAD
    memory = model.encode(source, source_mask)
    target = torch.full((source.shape[0], 1), START)
    # Ask the model for the next token of every sentence, again and again.
    return target.tolist()


if __name__ == "__main__":
    script = {(5, 6): 277585, (7, 8, 9): 323}  # the example of the statement: [[10, 11, 12], [13]]
    print(translate(ScriptedModel(script, vocab_size=20), torch.tensor([[5, 6, PAD], [7, 8, 9]]), max_length=10))
