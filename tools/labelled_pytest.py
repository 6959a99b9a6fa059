"""Labelled texts in another tool's pytest files, read without running anything.

Such a test writes a text, has it scanned, and asserts that something is found or that nothing is. The reader follows
constants, loops over constants, parameters and the file's own helpers; what it cannot follow is no case.
"""

from __future__ import annotations

import ast
import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

Value = object
"""A str, a tuple or a dict of such, or None where nobody can tell."""
_EXTENSIONS: Final = (
    ".py",
    ".js",
    ".ts",
    ".tsx",
    ".jsx",
    ".go",
    ".java",
    ".kt",
    ".php",
    ".cs",
    ".rb",
    ".rs",
    ".vue",
    ".html",
)
_LANGUAGES: Final = {
    "python": "app.py",
    "javascript": "app.js",
    "typescript": "app.ts",
    "go": "main.go",
    "java": "App.java",
    "kotlin": "App.kt",
    "php": "app.php",
    "csharp": "Controller.cs",
    "ruby": "app.rb",
    "rust": "main.rs",
    "c": "main.c",
}
_DEPTH: Final = 6
_SHORT: Final = 12


class Said(msgspec.Struct, frozen=True):
    """A text and whether the test wants something to be found in it."""

    name: str
    text: str
    path: str
    vulnerable: bool


class _Group(msgspec.Struct):
    """The texts that were handed over since the last assertion, and what was asserted of them."""

    texts: list[tuple[str, str]] = []
    verdicts: list[bool] = []


def read(source: str, name: str) -> Iterator[Said]:
    """Every test of one file of which a text and a verdict are known."""
    module = ast.parse(source)
    constants, functions = _constants(module.body, {}), _functions(module.body)
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield from _test(node, constants, functions, name)
        elif isinstance(node, ast.ClassDef):
            inside = _constants(node.body, constants)
            methods = {f"self.{key}": one for key, one in _functions(node.body).items()}
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name.startswith("test"):
                    yield from _test(one, inside, functions | methods, f"{name}::{node.name}")


def _functions(body: Sequence[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef) and not node.name.startswith("test")}


def _constants(body: Sequence[ast.stmt], known: Mapping[str, Value]) -> dict[str, Value]:
    reader = _Reader(dict(known), {})
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            reader.run([node])
    return reader.names | {f"self.{key}": value for key, value in reader.names.items() if key not in known}


def _test(
    node: ast.FunctionDef, constants: Mapping[str, Value], functions: Mapping[str, ast.FunctionDef], name: str
) -> Iterator[Said]:
    for number, given in enumerate(_parameters(node, constants)):
        reader = _Reader(dict(constants) | given, functions)
        reader.run(node.body)
        for count, group in enumerate([*reader.groups, reader.group]):
            if len(group.texts) == 1 and len(set(group.verdicts)) == 1:
                path, text = group.texts[0]
                yield Said(f"{name}::{node.name}[{number}.{count}]", text, path, group.verdicts[0])


def _parameters(node: ast.FunctionDef, constants: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """What `pytest.mark.parametrize` hands in, each combination once."""
    columns: list[list[dict[str, Value]]] = []
    reader = _Reader(dict(constants), {})
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("parametrize") and len(mark.args) > 1:
            names = reader.value(mark.args[0])
            keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else list(_items(names))
            rows = _items(reader.value(mark.args[1]))
            columns.append([_row(keys, row) for row in rows])
    for combination in itertools.product(*columns):
        yield {key: value for row in combination for key, value in row.items()}


def _row(keys: Sequence[Value], row: Value) -> dict[str, Value]:
    values = (row,) if len(keys) == 1 else _items(row)
    return {str(key): value for key, value in zip(keys, values, strict=False)}


def _items(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else tuple(value) if isinstance(value, dict) else ()


def _file(value: Value) -> str:
    """The file that a text is said to be: its name, or that of its language."""
    if not isinstance(value, str) or "\n" in value:
        return ""
    return value if value.endswith(_EXTENSIONS) and " " not in value else _LANGUAGES.get(value, "")


class _Reader:
    """Runs statements over constants, and notes the texts that are handed over and what is asserted then."""

    def __init__(self, names: dict[str, Value], functions: Mapping[str, ast.FunctionDef], depth: int = 0) -> None:
        self.names, self.functions, self.depth = names, functions, depth
        self.group = _Group([], [])
        self.groups: list[_Group] = []
        self.returned: Value = None

    def run(self, body: Sequence[ast.stmt]) -> None:  # noqa: C901 - one for each form of a statement
        for node in body:
            match node:
                case ast.Assign(targets=[target], value=value):
                    self._bind(target, self.value(value))
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._bind(target, self.value(value))
                case ast.For(target=target, iter=many, body=inner):
                    for item in _items(self.value(many)):
                        self._bind(target, item)
                        self.run(inner)
                case ast.With(items=items, body=inner):
                    for one in items:
                        self.value(one.context_expr)
                    self.run(inner)
                case ast.Try(body=inner) | ast.If(body=inner):
                    self.run(inner)
                case ast.Expr(value=value):
                    self.value(value)
                case ast.Return(value=ast.expr() as value):
                    self.returned = self.value(value)
                case ast.Assert(test=test):
                    self.value(test)
                    wanted = verdict(test)
                    if wanted is not None and self.group.texts:
                        self.group.verdicts.append(wanted)

    def _bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name | ast.Attribute):
            self.names[ast.unparse(target)] = value
        elif isinstance(target, ast.Tuple):
            values = _items(value) or (None,) * len(target.elts)
            for one, item in zip(target.elts, values, strict=False):
                self._bind(one, item)

    def _hand_over(self, path: str, text: str) -> None:
        if self.group.verdicts:
            self.groups.append(self.group)
            self.group = _Group([], [])
        if all(text != known for _, known in self.group.texts):
            self.group.texts.append((path, text))

    def value(self, node: ast.expr) -> Value:  # noqa: C901, PLR0911, PLR0912 - one for each form of an expression
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=bytes() as data):
                return data.decode("utf-8", "replace")
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute():
                return self.names.get(ast.unparse(node))
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return tuple(self.value(one) for one in items)
            case ast.Dict(keys=keys, values=values):
                pairs = zip((self.value(key) if key else None for key in keys), map(self.value, values), strict=True)
                return {key: value for key, value in pairs if isinstance(key, str)}
            case ast.JoinedStr(values=parts):
                return self._joined([self.value(one) for one in parts])
            case ast.FormattedValue(value=inner):
                return self.value(inner)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([self.value(left), self.value(right)])
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                self.value(left)
                return self.value(right)
            case ast.Call():
                return self._call(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.comprehension):
                self.value(child.iter)
        return None

    @staticmethod
    def _joined(parts: Sequence[Value]) -> Value:
        return "".join(str(part) for part in parts) if all(isinstance(part, str) for part in parts) else None

    def _call(self, node: ast.Call) -> Value:
        given = [self.value(one) for one in node.args]
        named = {one.arg: self.value(one.value) for one in node.keywords if one.arg}
        called = ast.unparse(node.func)
        if called in self.functions and self.depth < _DEPTH:
            return self._helper(self.functions[called], given, named, method=called.startswith("self."))
        owner = self.value(node.func.value) if isinstance(node.func, ast.Attribute) else None
        method = called.rpartition(".")[2]
        if method == "dedent" and given and isinstance(given[0], str):
            return textwrap.dedent(given[0])
        if method in {"items", "values"} and isinstance(owner, dict):
            return tuple(owner.items()) if method == "items" else tuple(owner.values())
        if method == "param":
            return given[0] if len(given) == 1 else tuple(given)
        if isinstance(owner, str) and method in {"strip", "lstrip", "rstrip", "encode"}:
            return (
                owner if method == "encode" else getattr(owner, method)(*[one for one in given if isinstance(one, str)])
            )
        values = [*given, *named.values()]
        self._note(owner, values)
        return next((one for one in values if _file(one)), None)

    def _note(self, owner: Value, values: Sequence[Value]) -> None:
        """A text that a function of elsewhere gets is what is scanned, unless it goes into a file that is no code."""
        if isinstance(owner, str) and "\n" not in owner and "." in owner and not _file(owner):
            return
        path = next((name for one in (owner, *values) if (name := _file(one))), "")
        for text in values:
            if (
                isinstance(text, str)
                and len(text) > _SHORT
                and not _file(text)
                and any(mark in text for mark in "(=`$\n")
            ):
                self._hand_over(path, text)

    def _helper(
        self, function: ast.FunctionDef, given: Sequence[Value], named: Mapping[str, Value], *, method: bool
    ) -> Value:
        wanted = [one.arg for one in function.args.args][1 if method else 0 :]
        defaults = function.args.defaults
        inside = _Reader(dict(self.names), self.functions, self.depth + 1)
        for key, default in zip(
            [one.arg for one in function.args.args][len(function.args.args) - len(defaults) :], defaults, strict=True
        ):
            inside.names[key] = self.value(default)
        inside.names |= dict(zip(wanted, given, strict=False)) | dict(named)
        inside.run(function.body)
        for path, text in inside.group.texts:
            self._hand_over(path, text)
        return inside.returned


def verdict(test: ast.expr) -> bool | None:  # noqa: PLR0911 - one for each form of an assertion
    """Whether an assertion wants something to be found; None where it asks something else."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            wanted = verdict(inner)
            return None if wanted is None else not wanted
        case ast.BoolOp(values=values):
            wanted_by = {verdict(one) for one in values}
            return wanted_by.pop() if len(wanted_by) == 1 else None
        case ast.Call(
            func=ast.Name(id="all"), args=[ast.GeneratorExp(elt=ast.Compare(ops=[ast.NotEq() | ast.NotIn()]))]
        ):
            return False
        case ast.Call(func=ast.Name(id="all" | "isinstance")):
            return None
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(left, operator, right)
        case ast.Call() | ast.Name() | ast.ListComp() | ast.SetComp():
            return True
    return None


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> bool | None:  # noqa: PLR0911 - as above
    match operator:
        case ast.In():
            return True
        case ast.NotIn():
            return False
        case ast.Is() | ast.IsNot() if isinstance(right, ast.Constant) and right.value is None:
            return isinstance(operator, ast.IsNot)
        case ast.LtE() if isinstance(left, ast.Set):
            return True
    size = _size(right)
    if size is None:
        return None
    match operator:
        case ast.Eq():
            return size > 0
        case ast.NotEq():
            return size == 0
        case ast.GtE():
            return size > 0 or None
        case ast.Gt():
            return True
    return None


def _size(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            return len(items)
        case ast.Dict(keys=keys):
            return len(keys)
        case ast.Call(func=ast.Name(id="set" | "list" | "tuple"), args=[]):
            return 0
    return None
