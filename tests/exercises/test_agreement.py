"""Our references against torch's own modules with the same weights: outputs and gradients, in float32 to 1e-5.

An error is told by the largest number of the tensor it is in: the small numbers of a gradient are sums that cancel, and
no two orders of adding in float32 agree on them. Compared with float64, torch's side rounds as much as ours.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from exercises.package import PACKAGES

WITHIN = 1e-5
BATCH, TARGET, SOURCE, D, HEADS, HIDDEN, LAYERS, WORDS = 2, 5, 7, 32, 4, 64, 2, 40
LAYER: dict[str, Any] = {
    "d_model": D,
    "nhead": HEADS,
    "dim_feedforward": HIDDEN,
    "dropout": 0.0,
    "batch_first": True,
}
REAL = torch.arange(SOURCE) < torch.tensor([[SOURCE], [SOURCE - 3]])  # the second source ends with padding
CAUSAL = torch.ones(TARGET, TARGET, dtype=torch.bool).tril()


@dataclass(frozen=True, slots=True)
class Pair:
    """Our module and torch's, how each is called with the same inputs, and the shapes of these inputs.

    Inputs are numbers, or words where `of_words`.
    """

    ours: nn.Module
    theirs: nn.Module
    call_ours: Callable[..., Tensor]
    call_theirs: Callable[..., Tensor]
    shapes: tuple[tuple[int, ...], ...]
    of_words: bool = False


def may_see(n_queries: int) -> Tensor:
    """Our mask that hides the padding of the source."""
    return REAL[:, None, None, :].expand(-1, 1, n_queries, -1)


def multi_head_attention(made: Callable[..., nn.Module]) -> Pair:
    ours, theirs = made(D, HEADS), nn.MultiheadAttention(D, HEADS, batch_first=True)
    return Pair(
        ours,
        theirs,
        lambda query, key, value: ours(query, key, value, may_see(TARGET)),
        lambda query, key, value: theirs(query, key, value, key_padding_mask=~REAL)[0],
        ((BATCH, TARGET, D), (BATCH, SOURCE, D), (BATCH, SOURCE, D)),
    )


def encoder_layer(made: Callable[..., nn.Module]) -> Pair:
    ours, theirs = made(D, HEADS, HIDDEN, 0.0), nn.TransformerEncoderLayer(**LAYER)
    return Pair(
        ours,
        theirs,
        lambda x: ours(x, may_see(SOURCE)),
        lambda x: theirs(x, src_key_padding_mask=~REAL),
        ((BATCH, SOURCE, D),),
    )


def decoder_layer(made: Callable[..., nn.Module]) -> Pair:
    ours, theirs = made(D, HEADS, HIDDEN, 0.0), nn.TransformerDecoderLayer(**LAYER)
    return Pair(
        ours,
        theirs,
        lambda x, memory: ours(x, memory, CAUSAL.expand(BATCH, 1, -1, -1), may_see(TARGET)),
        lambda x, memory: theirs(x, memory, tgt_mask=~CAUSAL, memory_key_padding_mask=~REAL),
        ((BATCH, TARGET, D), (BATCH, SOURCE, D)),
    )


def transformer(made: Callable[..., nn.Module]) -> Pair:
    """torch's transformer is made without the norms behind both stacks, which the paper does not have."""
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**LAYER), LAYERS, enable_nested_tensor=False)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**LAYER), LAYERS)
    stacks = nn.Transformer(D, HEADS, custom_encoder=encoder, custom_decoder=decoder, batch_first=True)
    embedding = nn.Embedding(WORDS, D)
    theirs = nn.ModuleDict({"embedding": embedding, "encoder": encoder, "decoder": decoder})
    ours = made(WORDS, D, HEADS, HIDDEN, LAYERS, 0.0)

    def embedded(words: Tensor) -> Tensor:
        angles = torch.arange(words.shape[1])[:, None] / 10000.0 ** (torch.arange(0, D, 2).double() / D)
        positions = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
        scaled: Tensor = embedding(words) * D**0.5
        return scaled + positions.float()

    def call_theirs(source: Tensor, target: Tensor) -> Tensor:
        output: Tensor = stacks(
            embedded(source),
            embedded(target),
            tgt_mask=~CAUSAL,
            src_key_padding_mask=~REAL,
            memory_key_padding_mask=~REAL,
        )
        return output @ embedding.weight.T

    return Pair(
        ours,
        theirs,
        lambda source, target: ours(source, target, REAL),
        call_theirs,
        ((BATCH, SOURCE), (BATCH, TARGET)),
        of_words=True,
    )


PAIRS: dict[str, tuple[str, Callable[[Callable[..., nn.Module]], Pair]]] = {
    "multi-head-attention": ("MultiHeadAttention", multi_head_attention),
    "encoder-layer": ("EncoderLayer", encoder_layer),
    "decoder-layer": ("DecoderLayer", decoder_layer),
    "transformer": ("Transformer", transformer),
}


def draw_weights(module: nn.Module, generator: torch.Generator) -> None:
    """Weights under which everything counts and no softmax saturates; no bias is 0, and no gain 1."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if parameter.dim() > 1:
                parameter.normal_(0.0, parameter.shape[1] ** -0.5, generator=generator)
            else:
                is_gain = "norm" in name and name.endswith("weight")
                parameter.normal_(1.0 if is_gain else 0.0, 0.1, generator=generator)


def in_our_names(theirs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """By torch's names → by ours. torch keeps the three projections of an attention in one tensor."""
    found: dict[str, Tensor] = {}
    for name, value in theirs.items():
        for their, our in (("multihead_attn", "cross_attn"), ("layers.", ""), ("linear", "feed_forward.linear")):
            name = name.replace(their, our)
        if "in_proj_" in name:
            thirds = zip("qkv", value.chunk(3), strict=True)
            found |= {name.replace("in_proj_", f"{letter}_proj."): third for letter, third in thirds}
        else:
            found[name] = value
    return found


def answers(module: nn.Module, call: Callable[..., Tensor], inputs: list[Tensor]) -> dict[str, Tensor]:
    """The output, and the gradients of inputs and parameters, for a cotangent that is the same for equal shapes."""
    inputs = [x.clone().requires_grad_(x.is_floating_point()) for x in inputs]
    output = call(*inputs)
    cotangent = torch.randn(output.shape, generator=torch.Generator().manual_seed(1))
    by = dict(module.named_parameters()) | {f"input {n}": x for n, x in enumerate(inputs) if x.requires_grad}
    gradients = torch.autograd.grad(output, list(by.values()), cotangent)
    return {"output": output.detach()} | dict(zip(by, gradients, strict=True))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("slug", PAIRS)
def test_reference_agrees_with_torch(slug: str, seed: int) -> None:
    entry, make_pair = PAIRS[slug]
    pair = make_pair(runpy.run_path(str(PACKAGES / slug / "reference.py"))[entry])
    generator = torch.Generator().manual_seed(seed)
    draw_weights(pair.theirs, generator)
    pair.ours.load_state_dict(in_our_names(pair.theirs.state_dict()))
    if pair.of_words:
        inputs = [torch.randint(WORDS, shape, generator=generator) for shape in pair.shapes]
    else:
        inputs = [torch.randn(shape, generator=generator) for shape in pair.shapes]
    found = answers(pair.ours, pair.call_ours, inputs)
    expected = in_our_names(answers(pair.theirs, pair.call_theirs, inputs))
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        # The bias of the keys changes no softmax: its gradient is 0, and what is computed for it is rounding.
        largest = expected[name.replace("k_proj.bias", "k_proj.weight")].abs().max()
        assert (found[name] - tensor).abs().max() <= WITHIN * largest, name
