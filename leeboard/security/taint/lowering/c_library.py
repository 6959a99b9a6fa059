"""The C library's ways of moving text: which call writes where, as the assignments they are.

`strcpy(to, from)` is `to = from`, `fgets(to, …)` is `to = fgets(…)`, `strcmp(a, b) == 0` is `a == b`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.lowering.idiom import based, known, page, plain_pattern, prefixed
from leeboard.security.taint.lowering.lowering import Lowering, line_of, text_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class _CCalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    copies: frozenset[str]
    appends: frozenset[str]
    compares: frozenset[str]
    prefixes: frozenset[str]
    searches: frozenset[str]
    one_of: frozenset[str]
    sockets: frozenset[str]
    prints: dict[str, int]
    reads: dict[str, int]
    scans: dict[str, int]
    resolves: dict[str, tuple[int, int]]


class _CppCalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    printed: frozenset[str]
    appends: frozenset[str]
    same: frozenset[str]
    characters: frozenset[str]


class _Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    c: _CCalls
    cpp: _CppCalls


_LIBRARY = load("security/c_library", _Library)
_C, _CPP = _LIBRARY.c, _LIBRARY.cpp


def plain(call: ir.Call) -> ir.Expr:
    """The call in its plain form; as it is where it has none."""
    name = ir.dotted(call.callee).removeprefix("std.")
    for names, least, form in _FORMS:
        if name in names and len(call.args) >= least:
            return form(call, name)
    return call


def _copied(call: ir.Call, _name: str) -> ir.Expr:
    return ir.Walrus(call.line, call.args[0], call.args[1])


def _extended(call: ir.Call, _name: str) -> ir.Expr:
    return ir.Walrus(call.line, call.args[0], ir.Join(call.line, call.args[:2]))


def _read(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _C.reads[name] or _is_cpp_getline(name, call.args):
        return call
    return ir.Walrus(call.line, call.args[_C.reads[name]], _source(call, name))


def _quoted(call: ir.Call, _name: str) -> ir.Expr:
    """SQLite's own formats `%q` and `%Q` escape what they print."""
    template = call.args[0]
    escapes = isinstance(template, ir.Const) and "%q" in str(template.value).lower()
    return known(call.line, "sqlite3_mprintf_q", *call.args) if escapes else call


def _is_cpp_getline(name: str, args: tuple[ir.Expr, ...]) -> bool:
    return name == "getline" and (len(args) < 3 or isinstance(args[2], ir.Const))


def _printed(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _C.prints[name]:
        return call
    # A function that is given a list of arguments prints for others: the format is theirs.
    printer = "vsprintf" if name.startswith("v") else "sprintf"
    template, *values = call.args[_C.prints[name] :]
    if values and isinstance(template, ir.Const) and str(template.value).startswith("%s/"):
        values[:1] = based((values[0], ir.Const(call.line, "/")))[:1]
    built = ir.Call(call.line, ir.Name(call.line, printer), (template, *values))
    return ir.Walrus(call.line, call.args[0], page(built))


def _source(call: ir.Call, name: str) -> ir.Expr:
    """Reading from the user, a socket, or a file: three sources."""
    if name in _C.sockets:
        return known(call.line, "socket.read")
    origins = {ir.dotted(arg) for arg in call.args} | {
        repr(arg.value) for arg in call.args[:1] if isinstance(arg, ir.Const)
    }
    users = name == "gets" or bool(origins & {"stdin", "STDIN_FILENO", "0"})
    return known(call.line, "stdin.read" if users else "file.read")


def _scanned(call: ir.Call, name: str) -> ir.Expr:
    if len(call.args) <= _C.scans[name]:
        return call
    targets = call.args[_C.scans[name] :]
    if name == "sscanf":
        value: ir.Expr = call.args[0]
    else:
        value = _source(call, "gets" if name in ("scanf", "wscanf") else name)
    values = tuple(
        ir.Walrus(call.line, target, value) for target in targets if isinstance(target, (ir.Name, ir.Attr, ir.Index))
    )
    return values[0] if len(values) == 1 else ir.Unknown(call.line, values)


def _resolved(call: ir.Call, name: str) -> ir.Expr:
    start, target = _C.resolves[name]
    if len(call.args) <= max(start, target):
        return call
    value = ir.Call(call.line, ir.Name(call.line, name), (call.args[start],))
    if isinstance(call.args[target], (ir.Name, ir.Attr)):
        return ir.Walrus(call.line, call.args[target], value)
    return value


_FORMS: tuple[tuple[frozenset[str], int, Callable[[ir.Call, str], ir.Expr]], ...] = (
    (_C.copies, 2, _copied),
    (_C.appends, 2, _extended),
    (frozenset(_C.prints), 2, _printed),
    (frozenset(_C.reads), 1, _read),
    (frozenset(_C.scans), 2, _scanned),
    (frozenset(_C.resolves), 1, _resolved),
    (frozenset({"sqlite3_mprintf"}), 1, _quoted),
)


def compared(value: ir.Compare) -> ir.Expr:
    """`strcmp(a, b) == 0`, `strstr(a, "..") != NULL` and the like."""
    asked, answer = value.left, value.right
    if not isinstance(asked, ir.Call) or value.op not in ("==", "!="):
        return value
    test = asked_by(asked)
    if test is asked or not isinstance(answer, (ir.Const, ir.Name)):
        return value
    # Zero says "equal" of a comparison, but "not found" of a search.
    found_by_zero = not _is_search(test)
    return test if (value.op == "==") == found_by_zero else ir.Not(value.line, test)


def asked_by(call: ir.Call) -> ir.Expr:
    """What a call asks, if it held: `a == b`, `a` starts with `b`, `b in a`."""
    name = ir.dotted(call.callee).removeprefix("std.")
    if len(call.args) < 2:
        return call
    one, other = call.args[0], call.args[1]
    if name in _C.compares:
        return ir.Compare(call.line, "==", one, other)
    if name in _C.searches:
        return ir.Compare(call.line, "in", other, one)
    if name in _C.one_of:
        return ir.Not(call.line, known(call.line, "char.is_plain", one))
    if name == "regexec":
        return known(call.line, "regex.test_whole", one, other)
    return prefixed(call.line, one, other) if name in _C.prefixes else call


def truth(test: ir.Expr) -> ir.Expr:
    """A condition: `!strcmp(a, b)` holds when they are equal, `strstr(a, b)` when it is found."""
    if isinstance(test, ir.Not):
        inner = test.value
        if isinstance(inner, ir.Call):
            asked = asked_by(inner)
            if asked is not inner:
                return ir.Not(test.line, asked) if _is_search(asked) else asked
        return ir.Not(test.line, truth(inner))
    if isinstance(test, ir.Bool):
        return ir.Bool(test.line, test.op, tuple(truth(part) for part in test.parts))
    if isinstance(test, ir.Call):
        asked = asked_by(test)
        return asked if asked is test or _is_search(asked) else ir.Not(test.line, asked)
    return test


def _is_search(asked: ir.Expr) -> bool:
    return isinstance(asked, ir.Not) or (isinstance(asked, ir.Compare) and asked.op == "in")


def option(call: ir.Call) -> ir.Expr:
    """`curl_easy_setopt(handle, CURLOPT_URL, x)` and parsers told to expand entities, named for what they do."""
    name = ir.dotted(call.callee)
    if name == "curl_easy_setopt" and len(call.args) > 2:
        return known(call.line, f"curl_easy_setopt.{ir.dotted(call.args[1])}", call.args[2])
    return call


# The C++ library's strings, streams and searches in the plain forms of the IR.


_NOT_FOUND = lazy(r"npos$|^-1$")
_END = lazy(r"(?:^|\.)c?end\(\)$")
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
    if ir.dotted(head) in _CPP.printed:
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
    if name in _CPP.characters and call.args:
        return known(call.line, "char.is_plain", _whole(call.args[0]))
    if isinstance(call.callee, ir.Attr):
        return _method(call, call.callee.value, call.callee.name)
    return call


def _method(call: ir.Call, value: ir.Expr, name: str) -> ir.Expr:
    if name in _CPP.same and not call.args:
        return value
    if not call.args:
        return call
    if name in _CPP.appends:
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


def cpp_compared(value: ir.Expr) -> ir.Expr:
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
