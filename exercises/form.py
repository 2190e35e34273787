"""What a package's files must look like, found without running anything; each problem is a full sentence."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from exercises import equivalents, manifest

MAX_FILE_BYTES = 2 << 20
REQUIRED = (manifest.FILENAME, "prompt.md", "starter.py", "reference.py", "tests.py")
OPTIONAL = ("support.py", equivalents.FILENAME)


def file_problems(files: Mapping[str, bytes]) -> list[str]:
    problems = [f"The file {name} is missing. Add it." for name in REQUIRED if name not in files]
    for path, content in sorted(files.items()):
        if not _is_known(path):
            problems.append(
                f"The file {path} is not part of an exercise. Move it to assets/ if tests use it, or remove it."
            )
        elif len(content) > MAX_FILE_BYTES:
            problems.append(f"The file {path} is larger than 2 MB. Make it smaller.")
        elif not path.startswith("assets/"):
            problems += _text_problems(path, content)
    return problems + _spelling_problems(files)


def _is_known(path: str) -> bool:
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in path or "\\" in path:
        return False
    if len(parts) == 1:
        return path in REQUIRED + OPTIONAL
    return parts[0] == "assets" or (parts[0] == "mistakes" and len(parts) == 2 and path.endswith(".py"))


def mistake_of(path: str) -> str:
    """The mistake that a file in mistakes/ is a spelling of: `halves-joined.loop.py` is one of `halves-joined`."""
    return path.removeprefix("mistakes/").partition(".")[0]


def _is_spelling(path: str) -> bool:
    return path != f"mistakes/{mistake_of(path)}.py"


def _spelling_problems(files: Mapping[str, bytes]) -> list[str]:
    return [
        f"The file {path} is another spelling of a mistake that has no file. Add mistakes/{mistake_of(path)}.py."
        for path in sorted(files)
        if path.startswith("mistakes/") and f"mistakes/{mistake_of(path)}.py" not in files
    ]


def _text_problems(path: str, content: bytes) -> list[str]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return [f"The file {path} is not UTF-8 text. Save it as UTF-8."]
    if "\0" in text:
        return [f"The file {path} contains NUL bytes. Save it as plain text."]
    return [] if text.strip() else [f"The file {path} is empty. Write it."]


def source_problems(files: Mapping[str, bytes], entries: Sequence[Mapping[str, str]]) -> list[str]:
    problems: list[str] = []
    for path in sorted(path for path in files if path.endswith(".py") and not path.startswith("assets/")):
        try:
            tree = ast.parse(files[path].decode("utf-8"))
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            problems.append(f"Python cannot read {path}, line {line}: {getattr(error, 'msg', error)}. Correct it.")
            continue
        except (RecursionError, MemoryError):
            problems.append(f"The file {path} is nested too deeply for Python to read. Make it simpler.")
            continue
        problems += _tree_problems(path, tree, entries)
        if path == "tests.py" and "support.py" not in files:
            problems += _support_problems(tree)
    return problems


def _tree_problems(path: str, tree: ast.Module, entries: Sequence[Mapping[str, str]]) -> list[str]:
    if path in ("starter.py", "reference.py"):
        return [problem for entry in entries for problem in _entry_problems(path, tree, entry)]
    if path.startswith("mistakes/"):
        return _hint_problems(path, ast.get_docstring(tree) or "")
    if path == "tests.py" and not any(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test") for node in tree.body
    ):
        return ["The file tests.py has no function whose name begins with “test”. Write at least one test."]
    return []


def _hint_problems(path: str, docstring: str) -> list[str]:
    """A mistake's first file has the hint: the fault, a blank line, the fix. Its other spellings have none."""
    paragraphs = [paragraph for paragraph in docstring.split("\n\n") if paragraph.strip()]
    if _is_spelling(path):
        told = f"The spelling {path} has a docstring. Remove it: the hint stands in {mistake_of(path)}.py."
        return [told] if paragraphs else []
    if not paragraphs:
        return [f"The mistake {path} has no docstring. Begin it with the hint its author would give a learner."]
    if len(paragraphs) != 2:
        told = "Write two: what is wrong, and what to do about it."
        return [f"The hint of {path} has {len(paragraphs)} paragraphs. {told}"]
    return []


def _support_problems(tree: ast.Module) -> list[str]:
    """Of tests that are to run without a support.py."""
    return [
        f"The test {node.name} asks for “support”, but there is no file support.py. Write it."
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and "support" in (_parameters(node) or ())
    ]


def _entry_problems(path: str, tree: ast.Module, entry: Mapping[str, str]) -> list[str]:
    """`entry` is defined in `tree`, is of its kind, and names its parameters as the signature does."""
    name, kind, signature = entry["name"], entry["kind"], entry["signature"]
    node = next((node for node in reversed(tree.body) if getattr(node, "name", "") == name), None)
    wanted = ast.ClassDef if kind == "class" else ast.FunctionDef
    if not isinstance(node, wanted):
        return [f"The file {path} does not define the {kind} `{name}` that exercise.toml lists. Add it."]
    told, defined = manifest.parameters(signature), _parameters(node)
    if defined is not None and defined[: len(told)] != told:
        return [
            f"In {path}, `{name}` takes ({', '.join(defined)}), but exercise.toml promises `{signature}`. "
            "Make the two agree."
        ]
    return []


def _parameters(node: ast.FunctionDef | ast.ClassDef) -> list[str] | None:
    """Names of the parameters, without `self`; None for a class that defines no constructor of its own."""
    if isinstance(node, ast.FunctionDef):
        return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return (_parameters(item) or [])[1:]
    return None
