"""A family's name forbids all that does the same, wherever in the library it stands; and nothing else."""

from __future__ import annotations

import ast
from typing import Any

import pytest
import torch

from exercises.families import FAMILIES, is_inside, is_member
from exercises.package import by_slug, slugs
from exercises.testkit.forbidden import MEMBERS, ForbiddenCall, find_forbidden, trap_forbidden
from tests.exercises.local import solutions

IMPORTS = "import importlib, sys\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def found(expression: str, *families: str) -> list[str]:
    return sorted({name for name, _ in find_forbidden(ast.parse(IMPORTS + expression), families or list(FAMILIES))})


@pytest.mark.parametrize(
    ("family", "names"),
    [
        (
            "softmax",
            "torch.softmax torch._softmax torch.special.log_softmax torch.masked.softmin torch.nn.Softmax2d "
            "torch.distributions.SoftmaxTransform",
        ),
        ("softmax", "torch.nn.modules.activation.LogSoftmax torch.functional.F.softmax torch.ops.aten._safe_softmax"),
        ("normalisation", "torch.layer_norm torch.native_layer_norm F.instance_norm F.group_norm torch.batch_norm"),
        ("normalisation", "nn.LayerNorm nn.InstanceNorm1d nn.LazyBatchNorm1d nn.modules.normalization.GroupNorm"),
        ("attention", "F.scaled_dot_product_attention nn.MultiheadAttention F.multi_head_attention_forward"),
        ("attention", "torch._C._nn.scaled_dot_product_attention torch._native_multi_head_attention"),
        ("attention", "torch._scaled_dot_product_flash_attention_for_cpu nn.attention.flex_attention.flex_attention"),
        ("transformer", "nn.Transformer nn.TransformerEncoderLayer torch._transformer_encoder_layer_fwd"),
        ("transformer", "torch.ops.aten.add torch._VF.exp torch._C.parse_ir torch.overrides.resolve_name"),
    ],
)
def test_members_and_insides_are_found_wherever_they_stand(family: str, names: str) -> None:
    for name in names.split():
        assert found(f"y = {name}(x)\n", family), name


@pytest.mark.parametrize(
    "way",
    [
        "getattr(torch, 'softmax')(x, 0)",
        "getattr(torch, 'soft' + 'max')(x, 0)",
        "getattr(getattr(torch, '_' + 'C')._nn, name)",
        "importlib.import_module('torch.nn.functional').softmax(x, 0)",
        "__import__('torch').special.softmax(x, 0)",
        "__import__('torch.special', None, None, ['softmax']).softmax(x, 0)",
        "sys.modules['torch'].softmax(x, 0)",
        "sys.modules['torch._C']",
        "vars(torch)['softmax'](x, 0)",
        "torch.__dict__['softmax'](x, 0)",
        "lib = torch.nn\nfn = lib.functional\ny = fn.softmax(x, 0)",
        "from torch.nn.functional import *\ny = softmax(x, 0)",
        "from torch import softmax as own\nown(x, 0)",
        "import torch._C as c\nc.x",
    ],
)
def test_a_member_is_found_however_it_is_looked_up(way: str) -> None:
    assert found(way)


@pytest.mark.parametrize(
    "expression",
    [
        "torch.exp(x - torch.logsumexp(x, 0))",
        "torch.nn.attention.SDPBackend.MATH",
        "torch.softmax_of_mine(x)",
        "own.softmax(x)",
        "getattr(torch, 'float32')",
        "getattr(torch, name)(x)",
        "sys.modules['own'].softmax(x)",
        "F.rms_norm(x, (4,)), F.normalize(x), torch.linalg.norm(x)",
        "nn.modules.transformer",
        "self.softmax = softmax = torch.exp",
        "from torch.nn.functional import *\ndef softmax(x): ...\ny = softmax(x)",
        "from .own import softmax",
        "from support import MultiHeadAttention",
        "class MultiHeadAttention(nn.Module): ...\nclass Transformer(nn.Module): ...\nTransformer()",
        "a = torch\na = own\na.softmax(x)",
        "def f(nn_like): nn_like.LayerNorm()",
        "'torch.ops'",
    ],
)
def test_all_else_is_let_through(expression: str) -> None:
    assert found(expression) == []


def test_one_family_leaves_the_others_alone() -> None:
    assert found("torch.softmax(x, 0), nn.LayerNorm(4)", "attention") == []
    assert found("nn.MultiheadAttention(4, 2)", "transformer") == []
    assert list(find_forbidden(ast.parse("import torch\ntorch.ops.aten.add\n"), ["torch.abs"])) == []


@pytest.mark.parametrize("family", FAMILIES)
def test_members_are_trapped_and_come_back(family: str) -> None:
    before = {place.dotted: _get(place.dotted) for place in MEMBERS[family]}
    assert before
    restore = trap_forbidden([family])
    try:
        for name in before:
            with pytest.raises(ForbiddenCall):
                _get(name)()
    finally:
        restore()
    assert {name: _get(name) for name in before} == before


def test_a_layer_of_the_library_does_not_reach_a_trapped_family() -> None:
    """In evaluation, torch's encoder layer takes a road of its own to its attention."""
    restore = trap_forbidden(["attention"])
    try:
        layer = torch.nn.TransformerEncoderLayer(4, 2, batch_first=True).eval()
        with torch.no_grad(), pytest.raises(ForbiddenCall):
            layer.self_attn(torch.ones(1, 3, 4), torch.ones(1, 3, 4), torch.ones(1, 3, 4))
    finally:
        restore()


@pytest.mark.parametrize("slug", slugs())
def test_no_right_program_is_forbidden(slug: str) -> None:
    package = by_slug(slug)
    sources = [package.reference, package.starter, *(path.read_text() for path in solutions("right", slug))]
    sources += [source for mistake in package.mistakes for source in mistake.spellings.values()]
    for source in sources:
        assert list(find_forbidden(ast.parse(source), package.spec.forbidden)) == []


def test_a_name_is_known_by_its_last_part() -> None:
    assert is_member("torch.anywhere.softmax", ["softmax"])
    assert not is_member("numpy.softmax", ["softmax"])
    assert not is_member("torch", ["softmax"])
    assert is_inside("torch._C")
    assert not is_inside("torch._Cx")


def _get(dotted: str) -> Any:
    value: Any = torch
    for part in dotted.split(".")[1:]:
        value = getattr(value, part)
    return value
