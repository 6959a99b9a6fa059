"""Whether the members of an archive are looked at in the function that unpacks it."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.taint import ir

_LISTS = frozenset({"getmembers", "getnames", "namelist", "infolist"})
_LOOKS = lazy(r"^(?:commonpath|commonprefix|is_relative_to|relative_to|startswith|isabs|\w*(?:is_within|is_safe)\w*)$")
_LOOKS_AT_ALL = lazy(r"is_within|is_safe")


def is_looked_through(body: ir.Block, archive: str) -> bool:
    """A test of paths is given a member, or what was made of one; a check by name may be given the archive itself."""
    whole, each = {archive}, set[str]()
    for node in ir.inside(body):
        for target, source in _handed(node):
            if ir.names_in(source) & each:
                each |= ir.names_in(target)
            elif _is_listed(source, whole):
                (whole if isinstance(node, ir.Assign) else each).update(ir.names_in(target))
        if isinstance(node, ir.Call):
            name = ir.dotted(node.callee).rpartition(".")[2] or _last(node.callee)
            known = each | whole if _LOOKS_AT_ALL.search(name) else each
            if _LOOKS.match(name) and ir.names_in(node) & known:
                return True
    return False


def _handed(node: ir.Node) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Names that get something here, and what they get."""
    if isinstance(node, ir.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ir.Loop) and node.target is not None and node.iterable is not None:
        yield node.target, node.iterable
    elif isinstance(node, ir.Comprehension):
        yield from node.clauses


def _is_listed(source: ir.Expr, whole: set[str]) -> bool:
    if isinstance(source, ir.Name):
        return source.id in whole
    return any(isinstance(node, ir.Call) and _last(node.callee) in _LISTS for node in ir.inside(source))


def _last(callee: ir.Expr) -> str:
    return callee.name if isinstance(callee, ir.Attr) else callee.id if isinstance(callee, ir.Name) else ""
