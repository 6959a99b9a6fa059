"""Whether what a function writes as its response is HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_OTHER_TYPE = lazy(
    r"application/(?:json|xml|octet-stream|pdf|javascript)|text/(?:plain|csv)|image/|TextPlain|ApplicationJson"
)
_FUNCTIONS = frozenset({"func_literal", "function_declaration", "method_declaration", "function_definition", "method"})
_ANCESTORS = 60


def sends_html(node: SgNode) -> bool:
    """True unless the function around it names another content type."""
    current = node.parent()
    for _ in range(_ANCESTORS):
        if current is None:
            return True
        if current.kind() in _FUNCTIONS:
            return not _OTHER_TYPE.search(current.text())
        current = current.parent()
    return True
