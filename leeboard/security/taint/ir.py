"""The small language every source file is lowered to before values are followed through it.

A lowering turns one tree of ast-grep into a `Module`: names of imports, functions with *lazy* bodies (only the ones
that matter are ever lowered) and the statements outside functions. What a lowering does not know becomes `Unknown` with
whatever expressions it holds, so that a value passes through and is not lost.

Rules of the house, for all languages:

- Lines count from one. `line` is where the expression starts.
- String building is `Join` (interpolation) or `Binary("+")`; the engine treats both alike.
- `new X(a)` is a `Call` of `X`. `await x`, `yield x`, casts and parentheses are just `x`.
- A call of a method keeps its receiver in the callee: `Call(Attr(Name("db"), "execute"), ...)`.
- Operators and statements that act like a call are calls: `echo x` is `Call(Name("echo"), (x,))`.
- Optional chaining (`a?.b`) is plain `Attr`. Pointer and scope operators (`->`, `::`) are `Attr`, too.
- Sigils are dropped from names (`$x` is `Name("x")`, `@x` in a class is `Attr(Name("self"), "x")`).
- `this` is `Name("self")`, in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import msgspec

Value = str | bytes | int | float | bool | None


class Node(msgspec.Struct, frozen=True, gc=False):
    line: int


class Name(Node, frozen=True):
    id: str


class Const(Node, frozen=True):
    value: Value


class Join(Node, frozen=True):
    """A string built of its parts in this order: f-string, template literal, interpolated heredoc."""

    parts: tuple[Expr, ...]


class Call(Node, frozen=True):
    callee: Expr
    args: tuple[Expr, ...] = ()
    keywords: tuple[tuple[str, Expr], ...] = ()
    """Named arguments; the name is empty for a spread mapping (`**options`)."""


class Attr(Node, frozen=True):
    value: Expr
    name: str


class Index(Node, frozen=True):
    """`value[key]`; the key is None for a slice or where the language leaves it out (`$a[] = 1`)."""

    value: Expr
    key: Expr | None


class Container(Node, frozen=True):
    """A literal list, tuple, set, or mapping. Keys are None for what has no key; a mapping's key is an expression."""

    kind: Literal["list", "tuple", "set", "dict"]
    items: tuple[tuple[Expr | None, Expr], ...]


class Spread(Node, frozen=True):
    """`*values`, `...values` among arguments or items; also `**options` inside a mapping."""

    value: Expr


class Binary(Node, frozen=True):
    """Arithmetic and string operators: `+ - * / // % ** & | ^ << >> .` (`.` joins strings in PHP: write `+`)."""

    op: str
    left: Expr
    right: Expr


class Compare(Node, frozen=True):
    """`== != < <= > >= in is`, with `not in` and `is not` as they stand. Chains are lowered to `Bool("and", ...)`."""

    op: str
    left: Expr
    right: Expr


class Bool(Node, frozen=True):
    op: Literal["and", "or"]
    """`??`, `||` and `?:` without a middle are `or`."""
    parts: tuple[Expr, ...]


class Not(Node, frozen=True):
    value: Expr


class Unary(Node, frozen=True):
    """`- + ~`."""

    op: str
    value: Expr


class Ternary(Node, frozen=True):
    test: Expr
    yes: Expr
    no: Expr


class Walrus(Node, frozen=True):
    """An assignment that is an expression."""

    target: Expr
    value: Expr


class Lambda(Node, frozen=True):
    """A function as a value: lambda, arrow function, closure, block."""

    function: Function


class Comprehension(Node, frozen=True):
    """`[value for target in iterable if test]`; with a key it builds a mapping."""

    clauses: tuple[tuple[Expr, Expr], ...]
    """Target and iterable, outermost first."""
    tests: tuple[Expr, ...]
    value: Expr
    key: Expr | None = None


class Unknown(Node, frozen=True):
    """Anything else: its value is whatever its children may carry."""

    children: tuple[Expr, ...] = ()


Expr = (
    Name
    | Const
    | Join
    | Call
    | Attr
    | Index
    | Container
    | Spread
    | Binary
    | Compare
    | Bool
    | Not
    | Unary
    | Ternary
    | Walrus
    | Lambda
    | Comprehension
    | Unknown
)


class Assign(Node, frozen=True):
    """Targets are `Name`, `Attr`, `Index`, or a `Container` of these (unpacking). `op` is `+` for `+=`."""

    targets: tuple[Expr, ...]
    value: Expr
    op: str = ""
    annotation: str = ""
    """A declared type, as written."""


class ExprStmt(Node, frozen=True):
    value: Expr


class If(Node, frozen=True):
    test: Expr
    body: Block
    orelse: Block = ()


class Loop(Node, frozen=True):
    """`for target in iterable` or `while test`; the other is None. A C-style `for`: its start, then this."""

    body: Block
    target: Expr | None = None
    iterable: Expr | None = None
    test: Expr | None = None
    orelse: Block = ()


class Try(Node, frozen=True):
    body: Block
    handlers: tuple[Block, ...] = ()
    orelse: Block = ()
    final: Block = ()


class Case(Node, frozen=True):
    """The values it matches; empty is the default case. Patterns that are no plain values: one `Unknown`."""

    values: tuple[Expr, ...]
    body: Block
    guard: Expr | None = None
    falls: bool = False
    """Whether it runs on into the next case (a C-style switch without a break; leave the `break` itself out)."""


class Switch(Node, frozen=True):
    subject: Expr
    cases: tuple[Case, ...]


class Return(Node, frozen=True):
    value: Expr | None = None


class Exit(Node, frozen=True):
    """Leaves the block: `raise`/`throw`, `exit()`/`die`, `break`, `continue`."""

    kind: Literal["raise", "exit", "break", "continue"]
    value: Expr | None = None


class Define(Node, frozen=True):
    """A function defined among statements."""

    function: Function


class DefineClass(Node, frozen=True):
    type: Class


class Bind(Node, frozen=True):
    """An import inside a block: the local name and what it stands for, dotted."""

    name: str
    path: str


Stmt = Assign | ExprStmt | If | Loop | Try | Switch | Return | Exit | Define | DefineClass | Bind
Block = tuple[Stmt, ...]


class Param(msgspec.Struct, frozen=True, gc=False):
    name: str
    annotation: str = ""
    """Its declared type and its own decorators, as written: `int`, `@RequestParam String`."""
    default: Expr | None = None
    kind: Literal["", "*", "**"] = ""


class Function(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One function, method, lambda, route block. `lower` makes its body; it is called at most once, if at all."""

    name: str
    line: int
    end: int
    params: tuple[Param, ...] = ()
    lower: Callable[[], Block]
    decorators: tuple[Expr, ...] = ()
    """Decorators, annotations and attributes above it, as expressions (`Name`, `Attr`, `Call`)."""
    owner: str = ""
    """The class it is a method of."""
    is_static: bool = False
    """A method that takes no receiver as its first *listed* parameter. Python lists `self`; others do not: set it."""
    returns: str = ""
    """The declared type of its result, as written."""


class Class(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    name: str
    line: int
    bases: tuple[str, ...] = ()
    """Dotted, as written."""
    methods: tuple[Function, ...] = ()
    fields: Block = ()
    """Assignments to class attributes, as `Assign` to `Name`."""
    decorators: tuple[Expr, ...] = ()
    types: tuple[tuple[str, str], ...] = ()
    """Declared fields with their types as written, and what they are set to behind an equals sign."""


class Module(msgspec.Struct, frozen=True, kw_only=True):
    language: str
    imports: dict[str, str] = {}
    """Local name to dotted path: `from os import path as p` is `p` to `os.path`; `require(...)` likewise."""
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    body: Block = ()
    """Statements outside of functions and classes, in order (`Define` and `DefineClass` may stand among them instead of
    in `functions` and `classes`: put every top-level definition into exactly one of the two)."""


def dotted(expr: Expr) -> str:
    """`a.b.c` for names and attributes; a call or an index in between is marked: `a().b`, `a[].b`; empty otherwise."""
    behind = ""
    while True:
        if type(expr) is Name:  # asked for every call and attribute, so by the cheapest test there is
            return expr.id + behind
        if type(expr) is Attr:
            behind = f".{expr.name}{behind}"
            expr = expr.value
        elif type(expr) is Call:
            behind = f"(){behind}"
            expr = expr.callee
        elif type(expr) is Index:
            behind = f"[]{behind}"
            expr = expr.value
        else:
            return f"?{behind}" if behind.startswith(".") else behind


_DEEPEST = 24


def inside(part: object) -> Iterator[Node]:
    """All nodes of a block or an expression, itself first."""
    waiting: list[tuple[object, int]] = [(part, 0)]
    while waiting:
        part, depth = waiting.pop()
        if isinstance(part, Node):
            yield part
            parts: Sequence[object] = [getattr(part, field) for field in part.__struct_fields__]
        elif isinstance(part, tuple):
            parts = part
        else:
            continue
        if depth < _DEEPEST:
            waiting += [(one, depth + 1) for one in reversed(parts) if isinstance(one, Node | tuple)]


class NodesByLine:
    """All nodes of a block, found once however many values are looked for in it."""

    def __init__(self, block: Block) -> None:
        self._found: dict[int, list[tuple[int, Node]]] = {}
        for place, node in enumerate(inside(block)):
            self._found.setdefault(node.line, []).append((place, node))

    def at(self, *lines: int) -> list[Node]:
        """Those that begin on these lines, in the order of the block."""
        found = [placed for line in {*lines} for placed in self._found.get(line, ())]
        return [node for _place, node in sorted(found, key=_by_place)]


def _by_place(placed: tuple[int, Node]) -> int:
    return placed[0]


def names_in(expr: Expr) -> set[str]:
    return {node.id for node in inside(expr) if isinstance(node, Name)}
