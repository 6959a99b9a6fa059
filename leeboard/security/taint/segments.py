"""The last part of a path or an address: what stands behind the last slash leads out of no folder."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.security.taint import ir
from leeboard.security.taint.index import CUTS, LAST, SPLITS
from leeboard.security.taint.removed import PATHS
from leeboard.security.taint.use import Use
from leeboard.security.taint.values import CLEAN, Val, cleaned, held

_PARTS = "path.parts()"
"""The path of what stood between slashes, as a list."""
_SLASHES = frozenset({"/", b"/"})
_FOLDER_AND_NAME = ("os.path.split", "posixpath.split", "ntpath.split", "filepath.Split", "path.Split")
_FINDS_LAST = frozenset({"lastIndexOf", "rfind", "rindex", "LastIndexOf", "strrpos"})


def result_of(expr: ir.Call, use: Use) -> Val | None:
    """What a call makes of a foreign text by the slashes in it; None for any other call."""
    name = use.path.rpartition(".")[2]
    if name in SPLITS:
        return _split(use, name)
    if name in LAST:
        return _taken(use, name)
    if name in CUTS and use.receiver is not None and use.receiver.taints and _begins_behind_last_slash(expr):
        return _last_part(use.receiver)
    return None


def indexed(base: Val, key_expr: ir.Expr | None, key: object) -> Val | None:
    """`parts[-1]`, `parts[parts.length - 1]`; None for any other part."""
    if base.path != _PARTS or not (key == -1 or _is_one_less(key_expr)):
        return None
    return _last_part(base)


def _split(use: Use, name: str) -> Val | None:
    given = (*((use.receiver,) if use.receiver is not None else ()), *use.args)
    whole = next((held(value) for value in given if value.taints or value.shape), None)
    if whole is None or not whole.taints:
        return None
    if use.path.endswith(_FOLDER_AND_NAME):
        return Val(shape="list", items={0: whole, 1: _last_part(whole)}, text=CLEAN, steps=whole.steps)
    if not any(value.const in _SLASHES for value in use.args if value.is_const):
        return None
    if name == "rpartition":
        return Val(shape="list", items={0: whole, 1: whole, 2: _last_part(whole)}, text=CLEAN, steps=whole.steps)
    return replace(whole, path=_PARTS)


def _taken(use: Use, name: str) -> Val | None:
    """`parts.pop()`, `end($parts)`."""
    first = use.args[0] if use.args else None
    parts = use.receiver if use.receiver is not None and use.receiver.path == _PARTS else first
    if parts is None or parts.path != _PARTS or (name == "at" and (first is None or first.const != -1)):
        return None
    return _last_part(parts)


def _begins_behind_last_slash(expr: ir.Call) -> bool:
    """`name.substring(name.lastIndexOf("/") + 1)`."""
    start = expr.args[0] if len(expr.args) == 1 else None
    if not isinstance(start, ir.Binary) or start.op != "+" or not _is_one(start.right):
        return False
    found = start.left
    if not isinstance(found, ir.Call) or ir.dotted(found.callee).rpartition(".")[2] not in _FINDS_LAST:
        return False
    if ir.dotted(found.callee).rpartition(".")[0] != ir.dotted(expr.callee).rpartition(".")[0]:
        return False  # a place in another text
    return any(isinstance(arg, ir.Const) and arg.value in _SLASHES for arg in found.args)


def _last_part(whole: Val) -> Val:
    return replace(cleaned(whole, PATHS), path="")


def _is_one_less(key: ir.Expr | None) -> bool:
    return isinstance(key, ir.Binary) and key.op == "-" and _is_one(key.right)


def _is_one(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const) and expr.value == 1
