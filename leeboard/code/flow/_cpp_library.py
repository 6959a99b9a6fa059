"""The C++ library's strings, streams and searches in the plain forms of the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.code.flow import ir
from leeboard.code.flow._idiom import known, plain_pattern, prefixed
from leeboard.code.flow._lowering import Lowering, line_of, text_of
from leeboard.code.flow._page_building import page
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PRINTED = frozenset({"cout", "cerr", "clog", "wcout"})
_NOT_FOUND = lazy(r"npos$|^-1$")
_END = lazy(r"(?:^|\.)c?end\(\)$")
_APPENDS = frozenset({"append", "push_back", "assign", "insert", "operator+="})
_SAME = frozenset({"c_str", "str", "data", "string", "generic_string", "native"})
_CHARACTERS = frozenset(
    {"isalnum", "isalpha", "isdigit", "isxdigit", "iswalnum", "is_valid_char", "is_safe_char", "is_allowed_char"}
)
_MOST_TERMS = 60


def streamed(low: Lowering, node: SgNode, operator: str) -> ir.Expr | None:
    """`out << a << b` appends to `out`; `in >> a >> b` reads into `a` and `b`. None where it is arithmetic."""
    terms: list[SgNode] = []
    current: SgNode | None = node
    while (
        current is not None
        and len(terms) < _MOST_TERMS
        and current.kind() == "binary_expression"
        and text_of(current.field("operator")) == operator
    ):
        right = current.field("right")
        if right is None:
            return None
        terms.append(right)
        current = current.field("left")
    head = low.expr(current)
    values = low.exprs(reversed(terms))
    line = line_of(node)
    if operator == "<<":
        return _written(line, head, values) if _is_statement(node) else None
    if ir.dotted(head) != "cin" and not _is_statement(node):
        return None
    read = known(line, "cin.read") if ir.dotted(head) == "cin" else head
    reads = tuple(ir.Walrus(line, value, read) for value in values if isinstance(value, (ir.Name, ir.Attr, ir.Index)))
    return reads[0] if len(reads) == 1 else ir.Unknown(line, reads)


def _written(line: int, head: ir.Expr, values: tuple[ir.Expr, ...]) -> ir.Expr | None:
    if ir.dotted(head) in _PRINTED:
        return ir.Call(line, head, values)
    if not isinstance(head, (ir.Name, ir.Attr)):
        return None
    if isinstance(page(ir.Join(line, values)), ir.Call):
        values = (page(ir.Join(line, values)),)
    return ir.Walrus(line, head, ir.Join(line, (head, *values)))


def _is_statement(node: SgNode) -> bool:
    above = node.parent()
    return above is not None and above.kind() == "expression_statement"


def plain_method(call: ir.Call) -> ir.Expr:
    """`s.append(x)`, `s.c_str()`, `std::getline(in, s)`, `std::regex_match(s, r)`, `isalnum(s[i])`."""
    name = ir.dotted(call.callee)
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](call)
    if name in _CHARACTERS and call.args:
        return known(call.line, "char.is_plain", _whole(call.args[0]))
    if isinstance(call.callee, ir.Attr):
        return _method(call, call.callee.value, call.callee.name)
    return call


def _method(call: ir.Call, value: ir.Expr, name: str) -> ir.Expr:
    if name in _SAME and not call.args:
        return value
    if not call.args:
        return call
    if name in _APPENDS:
        longer = call.args[0] if name == "assign" else ir.Join(call.line, (value, call.args[-1]))
        return ir.Walrus(call.line, value, longer)
    if name in ("count", "contains") and len(call.args) == 1:
        return ir.Compare(call.line, "in", call.args[0], value)
    if name in ("getline", "get", "read") and ir.dotted(value) == "cin":
        return ir.Walrus(call.line, call.args[0], known(call.line, "cin.read"))
    return prefixed(call.line, value, call.args[0]) if name == "starts_with" else call


def _whole(value: ir.Expr) -> ir.Expr:
    return value.value if isinstance(value, ir.Index) else value


def _getline(call: ir.Call) -> ir.Expr:
    if len(call.args) < 2:
        return call
    stream, target = call.args[0], call.args[1]
    return ir.Walrus(call.line, target, known(call.line, "cin.read") if ir.dotted(stream) == "cin" else stream)


def _regex(call: ir.Call) -> ir.Expr:
    if len(call.args) < 2:
        return call
    pattern = call.args[-1]
    if isinstance(pattern, ir.Const) and isinstance(pattern.value, str):
        pattern = ir.Const(pattern.line, plain_pattern(pattern.value, whole=True))
    return known(call.line, "regex.test_whole", pattern, call.args[0])


def _pattern(call: ir.Call) -> ir.Expr:
    return call.args[0] if call.args and isinstance(call.args[0], ir.Const) else call


def _all_of(call: ir.Call) -> ir.Expr:
    """`std::all_of(s.begin(), s.end(), ::isalnum)`."""
    start = call.args[0] if call.args else None
    if isinstance(start, ir.Call) and isinstance(start.callee, ir.Attr):
        return known(call.line, "char.is_plain", start.callee.value)
    return call


_FUNCTIONS = {"getline": _getline, "regex_match": _regex, "regex": _pattern, "all_of": _all_of}


def compared(value: ir.Expr) -> ir.Expr:
    """`s.find(x) == npos`, `s.find(x) == s.end()`, `s.rfind(p, 0) == 0`, `s.compare(0, n, p) == 0`."""
    if not isinstance(value, ir.Compare) or value.op not in ("==", "!="):
        return value
    asked = value.left
    if not isinstance(asked, ir.Call) or not isinstance(asked.callee, ir.Attr) or not asked.args:
        return _spanned(value)
    test = _shown(value, asked, asked.callee)
    if test is None:
        return value
    return test if value.op == "==" else ir.Not(value.line, test)


def _shown(value: ir.Compare, asked: ir.Call, callee: ir.Attr) -> ir.Expr | None:
    """What holds if both sides are equal."""
    receiver, name, answer = callee.value, callee.name, ir.dotted(value.right)
    is_zero = isinstance(value.right, ir.Const) and value.right.value == 0
    if name in ("find", "rfind", "compare") and is_zero:
        return prefixed(value.line, receiver, asked.args[-1 if name == "compare" else 0])
    if name == "find" and (_NOT_FOUND.search(answer) or _END.search(answer)):
        return ir.Not(value.line, ir.Compare(value.line, "in", asked.args[0], receiver))
    if name in ("find_first_not_of", "find_first_of") and _NOT_FOUND.search(answer):
        return known(value.line, "char.is_plain", receiver)
    return None


def _spanned(value: ir.Compare) -> ir.Expr:
    """`strspn(s, allowed) == strlen(s)`."""
    asked = value.left
    if not isinstance(asked, ir.Call) or ir.dotted(asked.callee) not in ("strspn", "strcspn") or not asked.args:
        return value
    test = known(value.line, "char.is_plain", asked.args[0])
    return test if value.op == "==" else ir.Not(value.line, test)
