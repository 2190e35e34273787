"""Families of library functions that do the same thing: an exercise that asks for one of them to be written forbids the
family by its name, and so all of them.

A member is known by the last part of its name, wherever in torch it stands: `torch.softmax`, `torch._softmax`,
`torch.special.softmax`, `torch.nn.modules.activation.Softmax`, `torch.ops.aten.softmax`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

LIBRARY = "torch"
FAMILIES: Mapping[str, re.Pattern[str]] = {
    "softmax": re.compile(
        r"_*(?:log_?|masked_|safe_|gumbel_|AdaptiveLog)*softm(?:ax|in)(?:2d|WithLoss|Transform)?", re.IGNORECASE
    ),
    # Over groups, channels or a batch: on the right axes, each of them normalises a layer.
    "normalisation": re.compile(
        r"_*(?:native_|cudnn_|miopen_|quantized_|lazy|sync)*(?:layer|group|instance|batch)_?norm"
        r"(?:[123]d|_impl_index|_legit\w*)?",
        re.IGNORECASE,
    ),
    "attention": re.compile(r"\w*(?:scaled_dot_|multi_?head_?att|flash_att|flex_att)\w*", re.IGNORECASE),
    "transformer": re.compile(r"Transformer\w*|_?transformer_(?:en|de)coder\w*"),
}
INSIDES = (
    "torch.ops",
    "torch.overrides",
    "torch.ao",
    "torch._C",
    "torch._VF",
    "torch._decomp",
    "torch._ops",
    "torch._prims",
    "torch._refs",
)
"""Not for the public, and full of members that are not trapped while the code runs."""


def is_member(dotted: str, families: Iterable[str]) -> bool:
    """Whether the name belongs to one of these families."""
    root, _, rest = dotted.partition(".")
    last = rest.rpartition(".")[2]
    return root == LIBRARY and any(FAMILIES[family].fullmatch(last) for family in families)


def members_among(family: str, names: Iterable[str]) -> list[str]:
    """Those of the names that stand for a member, wherever in the library they are found. Of thousands, at once."""
    pattern = FAMILIES[family]
    return re.findall(rf"^(?:{pattern.pattern})$", "\n".join(names), pattern.flags | re.MULTILINE)


def is_inside(dotted: str) -> bool:
    """Whether the name leads past what the library offers to the public."""
    return any(dotted == inside or dotted.startswith(f"{inside}.") for inside in INSIDES)
