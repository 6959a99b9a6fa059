"""Values of which no more is known than how they are declared: `def load(session: aiohttp.ClientSession)`."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.state import State
from leeboard.security.taint.values import CLEAN, Val

_ONE_NAME = lazy(r"(?:Optional\[\s*)?['\"]?([A-Za-z_][\w.]*)['\"]?\s*(?:\]|\?|\|\s*None)?")
_SAID_ELSEWHERE = frozenset({"Protocol", "ABC"})
_SAYS_TYPES = frozenset({"python", "kotlin"})


def as_declared(state: State, annotation: str, value: Val) -> Val:
    """As an object of the class of this file, or by the name of one from elsewhere; as it is where more is known."""
    if not annotation or value.taints or value.shape or value.is_const or value.call is not None or value.type:
        return value
    kind = class_named(state, annotation)
    if kind is not None:
        return replace(value, shape="object", type=kind, path=f"{kind.name}()", text=CLEAN)
    path = _imported(state, annotation) if not value.path or value.path.endswith("[]") else ""
    return replace(value, path=f"{path}()") if path else value


def class_named(state: State, annotation: str) -> ir.Class | None:
    """The class of this file by whose methods such an object is known."""
    told = _ONE_NAME.fullmatch(annotation.strip()) if state.module.language in _SAYS_TYPES else None
    kind = state.classes.get(told[1]) if told is not None else None
    if kind is None or not _SAID_ELSEWHERE.isdisjoint(base.rpartition(".")[2] for base in kind.bases):
        return None
    return kind if any(not method.name.startswith("__") for method in kind.methods) else None


def _imported(state: State, annotation: str) -> str:
    told = _ONE_NAME.fullmatch(annotation.strip()) if state.module.language == "python" else None
    first, _dot, rest = told[1].partition(".") if told is not None else ("", "", "")
    path = state.module.imports.get(first, "")
    return f"{path}.{rest}" if path and rest else path
