"""safetensors, as far as float32 goes: a header in JSON, its length before it, and the raw values behind it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from torch import Tensor


def write_safetensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write float32 tensors by name."""
    header: dict[str, object] = {}
    blocks: list[bytes] = []
    offset = 0
    for name, tensor in tensors.items():
        data = tensor.detach().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + len(data)]}
        blocks.append(data)
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # the values begin on a multiple of 8
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blocks))
