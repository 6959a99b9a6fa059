"""Which texts an expression of a Python program can stand for, as far as the program says it literally."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable
from itertools import islice, product

from leeboard.code._shell_expansion import HOME, MARKS

Texts = tuple[str, ...]
"""All values an expression may have; empty where nobody can tell."""

_MAX_TEXTS = 64
_PATH_TYPES = frozenset(
    f"{prefix}{name}" for prefix in ("pathlib.", "") for name in ("Path", "PurePath", "PosixPath", "PurePosixPath")
)
_SAME_TEXT = frozenset({"str", "os.fspath", "os.path.abspath", "os.path.normpath", "os.path.realpath"})
_SAME_PATH = frozenset({"resolve", "absolute"})
_HERE = frozenset({"os.getcwd", "pathlib.Path.cwd", "Path.cwd"})
_AT_HOME = frozenset({"pathlib.Path.home", "Path.home"})


class Values:
    """Names and what they were last given. `stand_in` is a text nobody knows the value of."""

    def __init__(self, stand_in: str) -> None:
        self.stand_in = stand_in
        self.names: dict[str, Texts] = {}
        self.sequences: dict[str, list[ast.expr]] = {}
        self.imports: dict[str, str] = {}

    def dotted(self, node: ast.expr) -> str:
        """The full name of what is called or read, "" for anything but a name with attributes."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or (parts and node.id in self.names):
            return ""
        return ".".join([self.imports.get(node.id, node.id), *reversed(parts)])

    def elements(self, node: ast.expr) -> list[ast.expr] | None:
        """The elements of a list, tuple or set that is written out; the keys of a dictionary."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return node.elts
        if isinstance(node, ast.Dict):
            return [key for key in node.keys if key is not None]
        return self.sequences.get(node.id) if isinstance(node, ast.Name) else None

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            elements = self.elements(value)
            texts = self.texts(value)
            self.names[target.id] = texts
            self.sequences.pop(target.id, None)
            if elements is not None:
                self.sequences[target.id] = elements
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self.bind(one, other)

    def bind_each(self, target: ast.expr, source: ast.expr) -> None:
        """A loop's target stands for every element in turn."""
        elements = self.elements(source)
        if elements is None:
            return
        if isinstance(target, ast.Name):
            self.names[target.id] = self._of_all(elements)
        elif isinstance(target, ast.Tuple):
            for index, name in enumerate(target.elts):
                column = [row.elts[index] for row in elements if isinstance(row, ast.Tuple) and index < len(row.elts)]
                if isinstance(name, ast.Name) and len(column) == len(elements):
                    self.names[name.id] = self._of_all(column)

    def _of_all(self, nodes: list[ast.expr]) -> Texts:
        each = [self.texts(node) for node in nodes]
        return tuple(text for texts in each for text in texts)[:_MAX_TEXTS] if all(each) else ()

    def texts(self, node: ast.expr) -> Texts:
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.Name):
            return self.names.get(node.id, ())
        if isinstance(node, ast.JoinedStr):
            return self._joined([self._part(part) for part in node.values], "".join)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._joined([self.texts(node.left), self.texts(node.right)], "".join)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            return self._joined([self.texts(node.left), self.texts(node.right)], _joined_path)
        return self._called(node) if isinstance(node, ast.Call) else ()

    def _constant(self, value: object) -> Texts:
        if not isinstance(value, str) or MARKS.search(value) or self.stand_in in value:
            return ()
        return (value,)

    def _part(self, node: ast.expr) -> Texts:
        if isinstance(node, ast.FormattedValue):
            return self.texts(node.value) if node.conversion == -1 and node.format_spec is None else ()
        return self.texts(node)

    def _joined(self, parts: list[Texts], join: Callable[[tuple[str, ...]], str]) -> Texts:
        if not all(parts):
            return ()
        return tuple(join(combination) for combination in islice(product(*parts), _MAX_TEXTS))

    def _called(self, node: ast.Call) -> Texts:
        name = self.dotted(node.func)
        arguments = [self.texts(argument) for argument in node.args]
        if name in _PATH_TYPES or name == "os.path.join":
            return self._joined(arguments, _joined_path) if arguments else (".",)
        if name in _HERE or name in _AT_HOME:
            return (".",) if name in _HERE else (HOME,)
        if name in _SAME_TEXT or name == "os.path.expanduser":
            texts = arguments[0] if arguments else ()
            return texts if name in _SAME_TEXT else tuple(_at_home(text) for text in texts)
        return self._method(node.func, arguments) if isinstance(node.func, ast.Attribute) else ()

    def _method(self, function: ast.Attribute, arguments: list[Texts]) -> Texts:
        receiver = self.texts(function.value)
        if function.attr in _SAME_PATH:
            return receiver
        if function.attr == "expanduser":
            return tuple(_at_home(text) for text in receiver)
        return self._joined([receiver, *arguments], _joined_path) if function.attr == "joinpath" else ()


def _joined_path(parts: tuple[str, ...]) -> str:
    return posixpath.join(*parts)


def _at_home(text: str) -> str:
    return HOME + text[1:] if text == "~" or text.startswith("~/") else text
