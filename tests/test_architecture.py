"""What the core may import.

The ladder of layers is in pyproject.toml, checked by `lint-imports`. That is a list of what is forbidden; this file
adds the list of what is allowed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "leeboard"
TOUCHES_THE_WORLD = (
    *("io", "store", "trust", "app", "surfaces", "testing", "__main__.py"),
    *("plan/disk", "contracts/disk", "source/index", "truth/digests"),
)
"""What lies in these rooms, and in the parts of rooms that read and write; all else is the core."""

PURE = {
    "__future__",
    "ast",
    "base64",
    "binascii",
    "bisect",
    "collections",
    "contextlib",
    "datetime",
    "difflib",
    "_ast",
    "_blake2",
    "enum",
    "fnmatch",
    "functools",
    "hashlib",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "posixpath",
    "re",
    "shlex",
    "string",
    "struct",
    "textwrap",
    "tomllib",
    "types",
    "typing",
    "unicodedata",
    "warnings",
    "zlib",
}
EVERYWHERE = PURE | {"leeboard", "msgspec"}
ALSO_ALLOWED = {
    "contracts": {"ast_grep_py", "tomlkit"},
    "plan": {"ruamel"},
    "report": {"xml"},
    "rule": {"importlib", "os"},
    "clients": {"importlib", "os"},
    "security": {"ast_grep_py", "importlib"},
    "settings": {"ruamel", "tomlkit"},
    "shell": {"ast_grep_py"},
    "source": {"ast_grep_py"},
}
WORLDLY_BUILTINS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def core_files() -> list[Path]:
    files = sorted(PACKAGE.rglob("*.py"))
    return [path for path in files if not touches_the_world(path.relative_to(PACKAGE).as_posix())]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def touches_the_world(path: str) -> bool:
    """The path of a module or of a package."""
    return any(path == room or path.startswith(f"{room}/") for room in TOUCHES_THE_WORLD)


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and top-level name of each import, also of those inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").partition(".")[0] if node.level == 0 else "." * node.level


def test_the_core_imports_only_what_is_pure() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in core_files()
        for line, name in imported(parsed(path))
        if name not in EVERYWHERE | ALSO_ALLOWED.get(layer(path), set())
    ]
    assert not found, "\n".join(found)


def test_the_core_imports_no_part_that_touches_the_world() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {node.module}"
        for path in core_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("leeboard.")
        for name in ("", *(f"/{alias.name}" for alias in node.names))
        if touches_the_world((node.module or "").removeprefix("leeboard.").replace(".", "/") + name)
    ]
    assert not found, "\n".join(found)


def test_the_core_calls_nothing_that_touches_the_world() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for path in core_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORLDLY_BUILTINS
    ]
    assert not found, "\n".join(found)


def test_the_allow_list_names_real_modules() -> None:
    """A misspelt or removed module in the list would allow nothing and mislead the reader."""
    assert set(sys.stdlib_module_names) >= PURE
    assert all(list(PACKAGE.glob(f"{name}*")) for name in ALSO_ALLOWED)


def test_surfaces_and_the_application_use_what_other_packages_offer() -> None:
    """A module with an underscore belongs to its package: whoever stands on top asks for a public one."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {node.module}"
        for top in ("surfaces", "app")
        for path in sorted((PACKAGE / top).rglob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and _is_private_elsewhere(node.module or "", top)
    ]
    assert not found, "\n".join(found)


def _is_private_elsewhere(module: str, top: str) -> bool:
    return "._" in module and not module.startswith(f"leeboard.{top}.")


def test_no_room_of_the_core_knows_how_a_client_calls_its_hooks() -> None:
    """What is judged is a kind of moment: a second client has other names for it."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} says {node.value}"
        for path in core_files()
        if layer(path) not in {"clients", "settings"}
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and node.value in HOOK_EVENTS
    ]
    assert not found, "\n".join(found)
