"""Calls that say in one language what the IR has one form for in all: membership, prefixes, patterns, replacements.

`xs.includes(x)`, `in_array($x, $xs)` and `slices.Contains(xs, x)` are all `x in xs`, so that tables and engine know
one allow-list and not twelve. Positions are those of arguments; `RECEIVER` is what stands before the dot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from leeboard.model.text import lazy
from leeboard.security.taint import ir
from leeboard.security.taint.removed import NAMED_TAG

if TYPE_CHECKING:
    from ast_grep_py import SgNode


RECEIVER = -1
Shape = Callable[[ir.Call], ir.Expr]

_DELIMITED = lazy(r"^([/#~@%!])(.{0,400})\1[a-zA-Z]{0,8}$")
_NARROW_CLASS = lazy(r"^\[\^([^\]]{1,120})\]$|^\\W$|^\\D$")
_WIDE = lazy(r"[<>'\"`;&|$\n]|\\n|\\S|\\D|\\W")
_REGEX_SPECIAL = lazy(r"^\(?\[(?!\^)(?=\S*\.)(?=\S*\*)(?=\S*\+)(?=\S*\?)(?=\S*\()(?=\S*\|)\S+\]\)?$")
"""The signs that mean something in a pattern, all of them."""
_NEWLINE = lazy(r"\\[nrsRv]|[\n\r]|\\x0[aAdD]|\\u000[aAdD]|\[:cntrl:\]|\\p\{C")


def shaped(shapes: Mapping[str, Shape]) -> Shape:
    """One rewriting of all: by the dotted callee, or by `.name` for a method of any receiver."""

    def rewrite(call: ir.Call) -> ir.Expr:
        shape = shapes.get(ir.dotted(call.callee))
        if shape is None and isinstance(call.callee, ir.Attr):
            shape = shapes.get("." + call.callee.name)
        return shape(call) if shape else call

    return rewrite


def rewriting(lines: Iterable[dict[str, Any]], own: Mapping[str, Shape] = MappingProxyType({})) -> Shape:
    """The rewriting that a language's `idioms` describe.

    A line names its calls, the form they get (one of `FORMS`, or a function of the language itself), and what the form
    is given: positions of arguments, `receiver`, names.
    """
    forms: dict[str, Shape] = {}
    for line in lines:
        forms |= dict.fromkeys(line["calls"], _form(line, own))
    return shaped(forms)


def _form(line: dict[str, Any], own: Mapping[str, Shape]) -> Shape:
    name = line["form"]
    if name in own:
        return own[name]
    return FORMS[name](*[RECEIVER if each == "receiver" else each for each in line.get("with", ())])


def at(call: ir.Call, position: int) -> ir.Expr | None:
    """The argument there, or the receiver."""
    if position == RECEIVER:
        return call.callee.value if isinstance(call.callee, ir.Attr) else None
    return call.args[position] if position < len(call.args) else None


def member(item: int = 0, of: int = RECEIVER) -> Shape:
    """`item in container`."""

    def shape(call: ir.Call) -> ir.Expr:
        value, container = at(call, item), at(call, of)
        return ir.Compare(call.line, "in", value, container) if value and container else call

    return shape


def equal(left: int = RECEIVER, right: int = 0) -> Shape:
    """`left == right`."""

    def shape(call: ir.Call) -> ir.Expr:
        one, other = at(call, left), at(call, right)
        return ir.Compare(call.line, "==", one, other) if one and other else call

    return shape


def method(known_as: str, text: int = RECEIVER, *others: int) -> Shape:
    """`text.known_as(others)`: a function of another name that is a method elsewhere."""

    def shape(call: ir.Call) -> ir.Expr:
        value, arguments = at(call, text), [at(call, other) for other in others or (0,)]
        if value is None or any(argument is None for argument in arguments):
            return call
        if known_as == "startswith" and arguments[0] is not None:
            return prefixed(call.line, value, arguments[0])
        return ir.Call(call.line, ir.Attr(call.line, value, known_as), tuple(each for each in arguments if each))

    return shape


def prefixed(line: int, text: ir.Expr, prefix: ir.Expr) -> ir.Expr:
    """`text` starts with `prefix`: with `..` it leaves its folder, with a value of the program it stays inside."""
    if not isinstance(prefix, ir.Const):
        return known(line, "text.starts_with", text, prefix)
    if str(prefix.value).startswith(".."):
        return ir.Compare(line, "in", prefix, text)
    return ir.Call(line, ir.Attr(line, text, "startswith"), (prefix,))


def asked_of(pattern: int, text: int, *, whole: bool = False, name: str = "test") -> Shape:
    """`regex.test(pattern, text)`. `whole`: the call matches the whole text even without anchors."""

    def shape(call: ir.Call) -> ir.Expr:
        expression, value = at(call, pattern), at(call, text)
        if expression is None or value is None:
            return call
        if isinstance(expression, ir.Const) and isinstance(expression.value, str):
            expression = ir.Const(expression.line, plain_pattern(expression.value, whole=whole))
        return known(call.line, f"regex.{name}_whole" if whole else f"regex.{name}", expression, value)

    return shape


def plain_pattern(written: str, *, whole: bool = False) -> str:
    """A pattern without delimiters, its anchors as `^` and `$`."""
    delimited = _DELIMITED.search(written)
    text = delimited.group(2) if delimited else written
    text = text.replace("\\A", "^").replace("\\z", "$").replace("\\Z", "$")
    return f"^{text.removeprefix('^').removesuffix('$')}$" if whole else text


def compiled(position: int = 0) -> Shape:
    """A pattern compiled from a constant is that constant."""

    def shape(call: ir.Call) -> ir.Expr:
        pattern = at(call, position)
        return pattern if isinstance(pattern, ir.Const) else call

    return shape


def replaced(pattern: int, text: int) -> Shape:
    """A replacement that takes away line breaks, markup, or all but a few characters is named for it."""

    def shape(call: ir.Call) -> ir.Expr:
        removed, value = at(call, pattern), at(call, text)
        if value is None or not isinstance(removed, ir.Const) or not isinstance(removed.value, str):
            return call
        return without(call, plain_pattern(removed.value), value)

    return shape


def without(call: ir.Call, removed: str, value: ir.Expr) -> ir.Expr:
    """`text.without_…(value)`, or the call as it is where the pattern takes away nothing that matters."""
    kept = _NARROW_CLASS.search(removed.rstrip("+*"))
    if kept and not _WIDE.search(kept.group(1) or ""):
        name = "without_special" if _keeps_no_path(kept.group(1) or "") else "without_special_but_path"
    elif _REGEX_SPECIAL.match(removed):
        name = "as_regex_word"
    elif "<" in removed and not NAMED_TAG.search(removed):
        name = "without_markup"
    elif _NEWLINE.search(removed):
        name = "without_newlines"
    else:
        return call
    return known(call.line, f"text.{name}", value)


def known(line: int, name: str, *values: ir.Expr) -> ir.Expr:
    """A call of a function that only the tables know; one name with a dot in it can be no variable."""
    return ir.Call(line, ir.Name(line, name), values)


def _keeps_no_path(kept: str) -> bool:
    return "." not in kept or "/" not in kept


def itself(position: int = RECEIVER) -> Shape:
    """A call that gives back what it got."""

    def shape(call: ir.Call) -> ir.Expr:
        return at(call, position) or call

    return shape


def listed(call: ir.Call) -> ir.Expr:
    """A list of what it was given: `arrayOf(...)`."""
    return ir.Container(call.line, "list", tuple((None, value) for value in call.args))


def named(name: str, *positions: int) -> Shape:
    """A call that only the tables know, with these arguments."""

    def shape(call: ir.Call) -> ir.Expr:
        values = [value for position in positions if (value := at(call, position)) is not None]
        return known(call.line, name, *values) if len(values) == len(positions) else call

    return shape


def negated(shape: Shape) -> Shape:
    """`not` of another form: `isNaN(x)`."""

    def turned(call: ir.Call) -> ir.Expr:
        return ir.Not(call.line, shape(call))

    return turned


def path_joined(*positions: int) -> Shape:
    """Parts of a path with a slash between them; without positions, the receiver (if any) and all arguments."""

    def shape(call: ir.Call) -> ir.Expr:
        parts = [part for position in positions if (part := at(call, position)) is not None] or list(call.args)
        if len(parts) > 1 and isinstance(parts[0], ir.Name):
            parts[0] = known(call.line, "path.base", parts[0])
        slash = ir.Const(call.line, "/")
        between = [piece for part in parts for piece in (part, slash)][:-1]
        return ir.Join(call.line, tuple(between)) if len(parts) > 1 else call

    return shape


def last_part(of: str) -> Shape:
    """`new File(x).getName()`: the last part of a path that is opened nowhere."""

    def shape(call: ir.Call) -> ir.Expr:
        return (last_part_of(call.callee.value, of) if isinstance(call.callee, ir.Attr) else None) or call

    return shape


def last_part_of(path: ir.Expr, made_by: str) -> ir.Expr | None:
    """The last part of a path that is made where it stands, by a call of this name; None for any other value."""
    if not isinstance(path, ir.Call) or len(path.args) != 1 or ir.dotted(path.callee).rpartition(".")[2] != made_by:
        return None
    return known(path.line, "path.base", path.args[0])


def path_resolved() -> Shape:
    """As joined, but a last part that starts at the root takes the place of those before it."""
    join = path_joined()

    def shape(call: ir.Call) -> ir.Expr:
        if len(call.args) < 2 or isinstance(call.args[-1], ir.Const):
            return join(call)
        last = known(call.line, "path.resolved", call.args[-1])
        return join(ir.Call(call.line, call.callee, (*call.args[:-1], last)))

    return shape


def rooted() -> Shape:
    """`Clean("/" + name)`: from the root there is no way up, so below a folder it stays there; by itself it is any."""

    def shape(call: ir.Call) -> ir.Expr:
        path = at(call, 0)
        parts = (
            path.parts if isinstance(path, ir.Join) else (path.left, path.right) if isinstance(path, ir.Binary) else ()
        )
        start = parts[0] if parts else None
        if path is None or not isinstance(start, ir.Const) or not str(start.value).startswith("/"):
            return call
        return known(call.line, "path.from_root", path)

    return shape


def based(parts: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """Parts of a text of which the first is a folder, as in `folder + "/" + name`: its caller's own choice."""
    if len(parts) < 2 or not isinstance(parts[0], ir.Name) or not isinstance(parts[1], ir.Const):
        return parts
    if not str(parts[1].value).startswith("/"):
        return parts
    return (known(parts[0].line, "path.base", parts[0]), *parts[1:])


def renamed(name: str) -> Shape:
    """A call that only the tables know, with whatever it is given."""

    def shape(call: ir.Call) -> ir.Expr:
        return known(call.line, name, *call.args)

    return shape


def begun() -> Shape:
    """A builder of text, with what it starts with."""

    def shape(call: ir.Call) -> ir.Expr:
        return call.args[0] if call.args else ir.Const(call.line, "")

    return shape


FORMS: dict[str, Callable[..., Shape]] = {
    "asked_of": asked_of,
    "asked_of_whole": partial(asked_of, whole=True),
    "begun": begun,
    "compiled": compiled,
    "equal": equal,
    "itself": itself,
    "listed": lambda: listed,
    "matched": partial(asked_of, name="match"),
    "member": member,
    "method": method,
    "named": named,
    "not_named": lambda *given: negated(named(*given)),
    "last_part": last_part,
    "path_joined": path_joined,
    "path_resolved": path_resolved,
    "renamed": renamed,
    "replaced": replaced,
    "rooted": rooted,
}
"""By the names which the tables give them."""


# Builders of text: `builder.append(x)` makes the builder longer.


def appended(call: ir.Call) -> ir.Expr:
    """What the builder is afterwards, assigned to it where it has a name."""
    if not isinstance(call.callee, ir.Attr) or not call.args:
        return call
    before = call.callee.value
    target = before.target if isinstance(before, ir.Walrus) else before
    longer = ir.Join(call.line, (before.value if isinstance(before, ir.Walrus) else before, *call.args))
    return ir.Walrus(call.line, target, longer) if isinstance(target, (ir.Name, ir.Attr)) else longer


def built(value: ir.Expr) -> ir.Block:
    """An expression as a statement; an assignment in it is one of its own."""
    if isinstance(value, ir.Walrus):
        return (ir.Assign(value.line, (value.target,), value.value),)
    return (ir.ExprStmt(value.line, value),)


# Texts that are pages: markup built around values, wherever it goes afterwards.


BUILT = "page.built"
"""The call that tables know as a sink; its result is what it got."""
_MARKUP = lazy(
    r"^\s*<(?:!doctype|html|head|body|div|p|h[1-6]|span|ul|ol|li|table|tr|td|strong|em|form"
    r"|input|script|title|section|img|button|label|a href|article|main|textarea|svg|iframe|pre|nav|footer|b"
    r"|i)\b[^\x00]{0,200}"
)


def page(value: ir.Expr) -> ir.Expr:
    """A text that starts with markup and holds more than constants, marked as a page."""
    parts = _parts(value)
    start = parts[0] if parts else None
    if (
        not isinstance(start, ir.Const)
        or not isinstance(start.value, str)
        or not _MARKUP.search(start.value[:300].lower())
    ):
        return value
    if all(isinstance(part, ir.Const) for part in parts):
        return value
    return known(value.line, BUILT, value)


def _parts(value: ir.Expr) -> tuple[ir.Expr, ...]:
    if isinstance(value, ir.Join):
        return value.parts
    if isinstance(value, ir.Binary) and value.op == "+":
        return (value.left, value.right)
    return value.args if isinstance(value, ir.Call) else ()


# XML parsers that load outside entities unless they are told not to.


_FACTORIES = lazy(
    r"^(?:DocumentBuilderFactory\.newInstance|SAXParserFactory\.newInstance"
    r"|XMLInputFactory\.(?:newInstance|newFactory)|XMLReaderFactory\.createXMLReader|SAXReader|SAXBuilder)$"
)
_HARDENED = lazy(
    r"disallow-doctype-decl|external-general-entities|FEATURE_SECURE_PROCESSING"
    r"|ACCESS_EXTERNAL_DTD|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL"
    r"|setExpandEntityReferences\(false"
)
_USED = lazy(r"\.parse\(|createXMLStreamReader|createXMLEventReader|newSAXParser|\.(?:read|build)\(")
_EMPTY = lazy(r"\.newDocumentBuilder\(\)\s{0,80}\.newDocument\(\)")
_CHAINED = 2
_ANCESTORS = 80


def unhardened(node: SgNode, callee: str) -> bool:
    """A factory in a class that parses with it and nowhere switches entities off; or in a method that keeps it to
    itself, parses with it and does not.
    """
    if not _FACTORIES.search(callee):
        return False
    current, method = node, ""
    for level in range(_ANCESTORS):
        above = current.parent()
        if above is None:
            break
        current = above
        if level < _CHAINED and _EMPTY.search(current.text()):
            return False  # a document that is written, not read
        if not method and current.kind() in _METHODS:
            method = current.text()
    return any(_USED.search(text) and not _HARDENED.search(text) for text in (current.text(), _own(method, callee)))


_METHODS = frozenset({"method_declaration", "constructor_declaration", "function_declaration"})


def _own(method: str, callee: str) -> str:
    """The method, where it hands the factory to nobody and knows nothing but its documents."""
    made = re.search(rf"\b(\w+)\s*=\s*{re.escape(callee)}\b", method)
    if made is None or re.search(rf"[(,]\s*{made[1]}\s*[,)]|\breturn\s+{made[1]}\s*;", method):
        return ""
    return method
