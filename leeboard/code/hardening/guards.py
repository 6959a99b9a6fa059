"""Clusters of guards: one function that asks three times or more what it was given before it does its work."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.hardening.body import statements
from leeboard.code.hardening.signal import GUARDS, Hardening
from leeboard.code.hardening.source import Source, body_of
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from leeboard.code.syntax import Definition

ENOUGH = 3

_NULL = r"(?:None|null|nil|undefined|nullptr|NULL)"
_MISSING = lazy(
    rf"\bis\s+{_NULL}\b|(?<!!)===?\s*{_NULL}\b|\b{_NULL}\s*===?(?!=)|\.nil\?|\bis_null\s?\(|!\s*isset\b|\bis\s+null\b"
    r"|^\(?\s*!\s*\$?[A-Za-z_][\w.]*\s*\)?$"
)
"""Nothing was given."""
_TYPED = r"(?:isinstance|issubclass|callable|hasattr|is_(?:string|array|int|numeric)|(?:Array|Number)\.is\w+|isNaN)"
_WRONG = lazy(
    rf"(?:!|\bnot\s)\s*\(?\s*{_TYPED}\b|typeof\s+[\w.]+\s*!==?|!\s*\([\w.]+\s+(?:instanceof|is)\b|!is\b|\bis\s+not\s+(?!{_NULL}\b)"
    r"|!\s*[\w.@]+\.(?:is_a|kind_of|respond_to)\?"
)
"""It is not of the kind that is needed."""
_TYPE_TEST = lazy(rf"{_TYPED}\b|\b(?:typeof|instanceof)\b|\.(?:is_a|kind_of|respond_to)\?")
_BOTH = lazy(r"&&|\band\b")
_LEAVES = lazy(r"(?:raise|throw|return|fail|panic)\b")
_RAISES = lazy(r"(?:raise|throw|fail|panic)\b")
_IN_TEXT = lazy(
    r"\b(?:requireNonNull|requireNotNull|checkNotNull|ThrowIfNull(?:OrEmpty|OrWhiteSpace)?|assert isinstance)"
    r"\s{0,3}\(\s{0,3}(?P<name>[A-Za-z_]\w{0,60})"
)
_NAME = lazy(r"(?<![.\w>:])\$?[A-Za-z_]\w*")
_ERRORS = lazy(r"\berr\w{0,20}\s{0,3}!=")


def find_guards(source: Source) -> Iterator[Hardening]:
    """One sign for each function that has enough of them."""
    found: dict[int, list[int]] = defaultdict(list)
    for node in source.decisions:
        definition = _guarded(node, source)
        if definition is not None:
            found[definition.start].append(source.line_of(node))
    for match in _IN_TEXT.finditer(source.code):
        line = source.line_at(match.start())
        definition = source.tree.definition_at(line)
        if definition is not None and match["name"] in definition.params:
            found[definition.start].append(line)
    for lines in found.values():
        if len(set(lines)) >= ENOUGH:
            yield Hardening(GUARDS, tuple(sorted(set(lines))), f"{len(set(lines))} guards in one function")


def _guarded(node: SgNode, source: Source) -> Definition | None:
    """The function whose parameter is asked for, where the branch does nothing but leave it."""
    condition = node.field("condition")
    asked = source.code_of(condition) if condition is not None else ""
    left = _left_with(node, source) if asked and not _BOTH.search(asked) and not _ERRORS.search(asked) else ""
    if not left or not _is_guard(asked.strip(), left, is_negated="unless" in node.kind()):
        return None
    definition = source.tree.definition_at(source.line_of(node))
    if definition is None or definition.kind == "class":
        return None
    params = {name.lstrip("$*&") for name in definition.params} - {"self", "cls", "this"}
    return definition if params.intersection(name.lstrip("$") for name in _NAME.findall(asked)) else None


def _is_guard(asked: str, left: str, *, is_negated: bool) -> bool:
    """To return early for a kind is to choose; to leave because something is missing or of no kind is to guard."""
    if _RAISES.match(left):
        return bool(_MISSING.search(asked) or _WRONG.search(asked) or _TYPE_TEST.search(asked))
    return bool(_TYPE_TEST.search(asked) if is_negated else _MISSING.search(asked) or _WRONG.search(asked))


def _left_with(node: SgNode, source: Source) -> str:
    """The one statement of the branch, where it leaves the function."""
    if "modifier" in node.kind():
        code = source.code_of(node)
        return code if _LEAVES.match(code) else ""
    body = node.field("consequence") or body_of(node)
    if body is None or node.field("alternative") is not None:
        return ""
    done = statements(re.sub(r"^(?:\{|then)|\}$", "", source.code_of(body).strip()))
    return done[0] if len(done) == 1 and _LEAVES.match(done[0]) else ""
