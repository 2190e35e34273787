"""Train the small translator of the last exercise, and say how good it is with and without positions.

    .venv/bin/python -m scripts.translator.train            minutes on two cores; writes the exercise's assets

The model is the reference of the exercise `transformer`, so its parameters have the names that learners use. Everything
is seeded: on one machine and one version of PyTorch the same weights come out again.
"""

from __future__ import annotations

import argparse
import json
import random
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from exercises.package import PACKAGES, by_slug
from scripts.translator.sentences import Pair, pairs
from scripts.translator.tensors import write_safetensors

SEED = 20
PAD, START, END = 0, 1, 2
SIZES = {"d_model": 64, "n_heads": 4, "d_ff": 128, "n_layers": 2}
HELD_OUT = 0.15
STEPS, BATCH, WARMUP, PEAK = 1_000, 64, 100, 3e-3
MAX_LENGTH = 12
ASSETS = PACKAGES / "translator" / "assets"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Words by token, and the pairs as tokens; `held_out` says nothing that `training` says in other words."""

    words: list[str]
    training: list[Pair]
    held_out: list[Pair]

    def encode(self, sentence: str) -> list[int]:
        return [self.words.index(word) for word in sentence.split()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--only", choices=("with", "without"), help="train one of the two models")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    corpus = split(pairs())
    print(f"{len(corpus.training)} sentences to learn, {len(corpus.held_out)} held out, {len(corpus.words)} words")
    for positions in (True, False):
        name = "with" if positions else "without"
        if arguments.only not in (None, name):
            continue
        model = train(corpus, positions=positions, steps=arguments.steps)
        right = exact(model, corpus, corpus.held_out)
        print(f"{name} positions: {right} of {len(corpus.held_out)} held-out sentences exactly right", end=" ")
        print(f"({right / len(corpus.held_out):.1%})")
        if positions:
            write(model, corpus)


def split(everything: list[Pair]) -> Corpus:
    """Hold out whole groups of sentences, so that no held-out sentence is learnt in other words."""
    groups = sorted({pair.group for pair in everything if pair.group})
    random.Random(SEED).shuffle(groups)
    chosen = set(groups[: round(HELD_OUT * len(groups))])
    words = sorted({word for pair in everything for word in f"{pair.english} {pair.hindi}".split()})
    return Corpus(
        ["<pad>", "<start>", "<end>", *words],
        [pair for pair in everything if pair.group not in chosen],
        [pair for pair in everything if pair.group in chosen],
    )


def train(corpus: Corpus, *, positions: bool, steps: int) -> nn.Module:
    """The model after `steps` steps of Adam, warmed up and then cooled down linearly."""
    torch.manual_seed(SEED)
    order = random.Random(SEED)
    model = make_model(len(corpus.words), dropout=0.1, positions=positions)
    optimizer = torch.optim.Adam(model.parameters(), lr=PEAK, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARMUP, max(0.0, (steps - step) / (steps - WARMUP)))
    )
    loss_of = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
    examples = [(corpus.encode(pair.english), corpus.encode(pair.hindi)) for pair in corpus.training]
    model.train()
    for step in range(steps):
        chosen = order.sample(examples, BATCH)
        source = padded([english for english, _ in chosen])
        target = padded([[START, *hindi, END] for _, hindi in chosen])
        logits = model(source, target[:, :-1], source != PAD)
        loss = loss_of(logits.flatten(0, 1), target[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 200 == 0:
            print(f"  step {step}: loss {loss.item():.3f}", flush=True)
    return model.eval()


def make_model(vocab_size: int, *, dropout: float, positions: bool) -> nn.Module:
    """The reference transformer, its table started small, as a tied head needs it."""
    module = types.ModuleType("reference")
    exec(compile(by_slug("transformer").reference, "reference.py", "exec"), module.__dict__)
    if not positions:
        module.__dict__["positional_encoding"] = lambda n_positions, d_model: torch.zeros(n_positions, d_model)
    model: nn.Module = module.__dict__["Transformer"](vocab_size, **SIZES, dropout=dropout)
    for name, parameter in model.named_parameters():
        if name == "embedding.weight":
            nn.init.normal_(parameter, std=SIZES["d_model"] ** -0.5)
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
    return model


def padded(sentences: list[list[int]]) -> Tensor:
    """(batch, longest) tokens, filled up with PAD."""
    width = max(map(len, sentences))
    return torch.tensor([sentence + [PAD] * (width - len(sentence)) for sentence in sentences])


@torch.no_grad()
def translate(model: nn.Module, source: Tensor) -> tuple[list[list[int]], float]:
    """Greedy translations, and the least lead that any word of them had over the next best."""
    encode: Any = model.encode
    decode: Any = model.decode
    mask = source != PAD
    memory = encode(source, mask)
    target = torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    lead = float("inf")
    for _ in range(MAX_LENGTH):
        best = decode(target, memory, mask)[:, -1].topk(2)
        leads = (best.values[:, 0] - best.values[:, 1])[~ended]
        lead = min(lead, leads.min().item())
        target = torch.cat([target, best.indices[:, :1]], dim=1)
        ended |= best.indices[:, 0] == END
        if ended.all():
            break
    rows = target[:, 1:].tolist()
    return [row[: row.index(END)] if END in row else row for row in rows], lead


def exact(model: nn.Module, corpus: Corpus, sentences: list[Pair]) -> int:
    """How many are translated word for word."""
    found, _ = translate(model, padded([corpus.encode(pair.english) for pair in sentences]))
    return sum(ours == corpus.encode(pair.hindi) for ours, pair in zip(found, sentences, strict=True))


def write(model: nn.Module, corpus: Corpus) -> None:
    """Weights, words, and the held-out sentences that the model gets right, with what it makes of them."""
    ASSETS.mkdir(parents=True, exist_ok=True)
    write_safetensors(ASSETS / "weights.safetensors", dict(model.named_parameters()))
    source = padded([corpus.encode(pair.english) for pair in corpus.held_out])
    found, lead = translate(model, source)
    right = [pair for pair, ours in zip(corpus.held_out, found, strict=True) if ours == corpus.encode(pair.hindi)]
    facts = {"sizes": SIZES, "words": corpus.words, "held_out": [[pair.english, pair.hindi] for pair in right]}
    _write_json(ASSETS / "translator.json", facts)
    print(f"  every word leads the next best by at least {lead:.3f} in its logit")


def _write_json(path: Path, facts: object) -> None:
    path.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
