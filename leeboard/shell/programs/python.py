"""Python code handed to an interpreter in a shell line: which files does it literally name?

The code is read in the order it stands in. A name has the literal values last given to it; everything that
writes and can not be resolved that way makes the code opaque, as does calling code from outside the standard library.
"""

from __future__ import annotations

import ast
import posixpath
import warnings
from collections.abc import Callable
from itertools import islice, product

import msgspec

from leeboard.data import load
from leeboard.model.touch import TouchKind
from leeboard.shell.expansion import HOME, MARKS, UNKNOWN

_STAND_IN = "_unknown_text_"
_MAX_CODE = 65_536


class _Python(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    opens: frozenset[str]
    moves: frozenset[str]
    copies: frozenset[str]
    deletes: frozenset[str]
    writes_second: frozenset[str]
    shell_lines: frozenset[str]
    starts: frozenset[str]
    opaque: frozenset[str]
    opaque_prefixes: tuple[str, ...]
    path_methods: dict[str, TouchKind]
    saves: frozenset[str]
    path_types: frozenset[str]
    same_text: frozenset[str]
    same_path: frozenset[str]
    here: frozenset[str]
    at_home: frozenset[str]
    lists_folder: frozenset[str]
    lists_tree: frozenset[str]
    lists_pattern: frozenset[str]
    harmless_modules: frozenset[str]
    network_modules: frozenset[str]


_PYTHON = load("shell/python_calls", _Python)


def examine(code: str) -> PythonEffects:
    """Code that is no Python, or too much of it, is opaque."""
    if len(code) > _MAX_CODE:
        return PythonEffects(opaque=True)
    reading = _Reading()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code.replace(UNKNOWN, _STAND_IN))
        reading.values.endings = _endings(tree)
        reading.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return PythonEffects(opaque=True)
    return reading.effects


class _Reading(ast.NodeVisitor):
    def __init__(self) -> None:
        self.effects = PythonEffects()
        self.values = PythonNames(_STAND_IN)
        self.calls = PythonCalls(self.values, self.effects)
        self.foreign: set[str] = set()

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self.values.imports[alias.asname or top] = alias.name if alias.asname else top
            self.note_module(top, alias.asname or top)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            name = alias.asname or alias.name
            self.values.imports[name] = f"{module}.{alias.name}"
            self.note_module(module.partition(".")[0], name)
            self.effects.opaque = self.effects.opaque or alias.name == "*"

    def note_module(self, top: str, name: str) -> None:
        if top in _PYTHON.network_modules:
            self.effects.network = True
        elif top not in _PYTHON.harmless_modules:
            self.foreign.add(name)

    def visit_Name(self, node: ast.Name) -> None:
        if _STAND_IN in node.id:
            self.effects.opaque = True
        if isinstance(node.ctx, ast.Store):
            self.values.names[node.id] = ()
            self.values.sequences.pop(node.id, None)
            self.values.listed.pop(node.id, None)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            self.values.bind(target, node.value)
            if isinstance(target, ast.Name) and _root(node.value) in self.foreign:
                self.foreign.add(target.id)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if node.value is not None:
            self.values.bind(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.generic_visit(node)
        self.values.bind(node.target, node.value)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.visit(node.target)
        self.values.bind_each(node.target, node.iter)
        for statement in [*node.body, *node.orelse]:
            self.visit(statement)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.generic_visit(node)
        self.values.bind_each(node.target, node.iter)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        """What it goes through is known before what is made of it."""
        for generator in node.generators:
            self.visit(generator)
        self.visit(node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.visit_ListComp(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.visit_ListComp(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = dict(self.values.names)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                self.values.names[argument.arg] = ()
        self.generic_visit(node)
        self.values.names = before

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        if _root(node.func) in self.foreign:
            self.effects.opaque = True
        else:
            self.calls.judge(node)


def _endings(tree: ast.Module) -> tuple[str, ...]:
    """By `name.endswith(".md")` and `path.suffix == ".md"`."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "endswith":
            found += [part for given in node.args for part in getattr(given, "elts", [given])]
        elif isinstance(node, ast.Compare) and getattr(node.left, "attr", "") == "suffix":
            found += node.comparators
    return tuple(node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _root(node: ast.expr) -> str:
    """The name an expression starts with."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Await | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""


# The calls of Python's standard library that change files or start programs.


class PythonEffects(msgspec.Struct):
    """`lines` are shell texts and `commands` argument lists that the code starts."""

    touches: list[tuple[TouchKind, str]] = []
    moved: list[str] = []
    """Of what is deleted: what goes on under another name."""
    replaced: list[str] = []
    """Of what is written: what nothing is left of."""
    lines: list[str] = []
    commands: list[list[str]] = []
    opaque: bool = False
    network: bool = False


class PythonCalls:
    """Judges one call after the other; `moved` once the code changed its directory."""

    def __init__(self, values: PythonNames, effects: PythonEffects) -> None:
        self.values = values
        self.effects = effects
        self.moved = False

    def judge(self, node: ast.Call) -> None:
        name = self.values.dotted(node.func)
        if name in _PYTHON.opens:
            self.open(self.argument(node, 0, "file"), self.argument(node, 1, "mode"))
        elif name in _PYTHON.moves:
            self.move_away(self.argument(node, 0, "src"))
            self.put(self.argument(node, 1, "dst"))
        elif name in _PYTHON.copies:
            self.touch("read", self.argument(node, 0, "src"))
            self.put(self.argument(node, 1, "dst"))
        elif name in _PYTHON.deletes:
            self.touch("delete", self.argument(node, 0, "path"))
        elif name == "os.truncate" or name in _PYTHON.writes_second:
            target = self.argument(node, int(name != "os.truncate"), "path")
            self.touch("write", target)
            if name == "os.truncate" and target is not None:
                self.replace(target)
        elif not self.starts(node, name) and isinstance(node.func, ast.Attribute):
            self.method(node, node.func)

    def starts(self, node: ast.Call, name: str) -> bool:
        """Whether the call is one that runs programs or code, or moves elsewhere."""
        if name in _PYTHON.shell_lines:
            self.shell_line(self.argument(node, 0, "cmd"))
        elif name in _PYTHON.starts:
            self.program(node)
        elif name in {"os.chdir", "os.fchdir", "contextlib.chdir"}:
            self.moved = True
        elif name.startswith("urllib.request."):
            self.effects.network = True
        elif name in _PYTHON.opaque or name.startswith(_PYTHON.opaque_prefixes):
            self.effects.opaque = True
        else:
            return False
        return True

    def argument(self, node: ast.Call, index: int, keyword: str) -> ast.expr | None:
        if index < len(node.args):
            return node.args[index]
        return next((given.value for given in node.keywords if given.arg == keyword), None)

    def touch(self, kind: TouchKind, node: ast.expr | None) -> None:
        texts = self.values.texts(node) if node is not None else ()
        if kind == "delete" and not texts and node is not None and not self.moved:
            self.effects.commands.extend([*words, "-delete"] for words in self.values.searches(node))
        self.touch_texts(kind, texts)

    def move_away(self, node: ast.expr | None) -> None:
        self.touch("delete", node)
        if node is not None and not self.moved:
            self.effects.moved.extend(self.values.texts(node))

    def touch_texts(self, kind: TouchKind, texts: Texts) -> None:
        if not texts:
            self.effects.opaque = self.effects.opaque or kind != "read"
        for text in texts:
            known = not self.moved or text.startswith(("/", HOME))
            self.effects.touches.append((kind, text if known else UNKNOWN))

    def open(self, file: ast.expr | None, mode: ast.expr | None) -> None:
        if isinstance(file, ast.Constant) and isinstance(file.value, int):
            return
        self.touch(self.opened_for(mode), file)
        if file is not None and mode is not None and all(text.startswith("w") for text in self.values.texts(mode)):
            self.replace(file)

    def replace(self, file: ast.expr) -> None:
        """Nothing is left of what was there."""
        if not self.moved and self.values.texts(file):
            self.effects.replaced.extend(self.values.texts(file))

    def put(self, file: ast.expr | None) -> None:
        """Another file takes its place."""
        self.touch("write", file)
        if file is not None:
            self.replace(file)

    def opened_for(self, mode: ast.expr | None) -> TouchKind:
        modes = ("r",) if mode is None else self.values.texts(mode)
        return "write" if not modes or any(set(text) & set("wax+") for text in modes) else "read"

    def method(self, node: ast.Call, function: ast.Attribute) -> None:
        name = function.attr
        if name in _PYTHON.path_methods:
            self.touch(_PYTHON.path_methods[name], function.value)
            if name in {"write_text", "write_bytes"}:
                self.replace(function.value)
        elif name == "open":
            self.open(function.value, self.argument(node, 0, "mode"))
        elif name in _PYTHON.saves:
            self.effects.opaque = True
        elif len(node.args) == 1 and name in {"rename", "replace"} and not node.keywords:
            self.move_away(function.value)
            self.put(node.args[0])

    def shell_line(self, node: ast.expr | None) -> None:
        texts = self.values.texts(node) if node is not None else ()
        self.effects.lines.extend(texts)
        self.effects.opaque = self.effects.opaque or not texts or self.moved

    def program(self, node: ast.Call) -> None:
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        command = self.argument(node, 0, "args")
        elements = self.values.elements(command) if command is not None else None
        if "cwd" in given or self.moved:
            self.effects.opaque = True
        if elements is not None:
            self.effects.commands.append([self.word(element) for element in elements])
        elif "shell" in given:
            self.shell_line(command)
        else:
            self.effects.opaque = True

    def word(self, node: ast.expr) -> str:
        if self.values.dotted(node) == "sys.executable":
            return "python"
        texts = self.values.texts(node)
        return texts[0] if len(texts) == 1 else UNKNOWN


# Which texts an expression of a Python program can stand for, as far as the program says it literally.


Texts = tuple[str, ...]
"""All values an expression may have; empty where nobody can tell."""

Searches = tuple[tuple[str, ...], ...]

_MAX_TEXTS = 64


class PythonNames:
    """Names and what they were last given. `stand_in` is a text nobody knows the value of."""

    def __init__(self, stand_in: str) -> None:
        self.stand_in = stand_in
        self.names: dict[str, Texts] = {}
        self.sequences: dict[str, list[ast.expr]] = {}
        self.imports: dict[str, str] = {}
        self.listed: dict[str, Searches] = {}
        """Names that stand for files which the code looked up."""
        self.endings: tuple[str, ...] = ()
        """What the code asks names to end with, anywhere in it."""

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
            if found := self.searches(value):
                self.listed[target.id] = found
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self.bind(one, other)

    def bind_each(self, target: ast.expr, source: ast.expr) -> None:
        """A loop's target stands for every element in turn."""
        elements = self.elements(source)
        if elements is None:
            found = self.searches(source)
            self.listed.update({part.id: found for part in ast.walk(target) if found and isinstance(part, ast.Name)})
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

    def searches(self, node: ast.expr) -> Searches:
        """What an expression finds on the disk, each put as the words of a `find` that finds the same."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self.listed:
                return self.listed[part.id]
            if isinstance(part, ast.Call) and (found := self._searched(part)):
                return found
        return ()

    def _searched(self, node: ast.Call) -> Searches:
        name = self.dotted(node.func)
        given = [self.texts(argument) for argument in node.args[:1]]
        first = given[0] if given else (".",)
        if name in _PYTHON.lists_folder | _PYTHON.lists_tree:
            return self._named(first, "*", deep=name in _PYTHON.lists_tree)
        if name in _PYTHON.lists_pattern:
            return tuple(words for text in first for words in self._globbed(text))
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in {"glob", "rglob", "iterdir"}:
            return ()
        folders, method = self.texts(node.func.value), node.func.attr
        if method == "iterdir":
            return self._named(folders, "*", deep=False)
        deep = method == "rglob" or "**" in "".join(first)
        patterns = [posixpath.basename(text) for text in first] if given else ["*"]
        return tuple(words for pattern in patterns for words in self._named(folders, pattern, deep=deep))

    def _globbed(self, text: str) -> Searches:
        folder, name = posixpath.split(text)
        before = folder.partition("*")[0]
        return self._named((before or ".",), name or "*", deep=before != folder)

    def _named(self, folders: Texts, pattern: str, *, deep: bool) -> Searches:
        depth = () if deep else ("-maxdepth", "1")
        names = [f"*{ending}" for ending in self.endings] if pattern == "*" and self.endings else [pattern]
        return tuple(("find", folder or ".", *depth, "-name", name) for folder in folders for name in names)

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
        if name in _PYTHON.path_types or name == "os.path.join":
            return self._joined(arguments, _joined_path) if arguments else (".",)
        if name in _PYTHON.here or name in _PYTHON.at_home:
            return (".",) if name in _PYTHON.here else (HOME,)
        if name in _PYTHON.same_text or name == "os.path.expanduser":
            texts = arguments[0] if arguments else ()
            return texts if name in _PYTHON.same_text else tuple(_at_home(text) for text in texts)
        return self._method(node.func, arguments) if isinstance(node.func, ast.Attribute) else ()

    def _method(self, function: ast.Attribute, arguments: list[Texts]) -> Texts:
        receiver = self.texts(function.value)
        if function.attr in _PYTHON.same_path:
            return receiver
        if function.attr == "expanduser":
            return tuple(_at_home(text) for text in receiver)
        return self._joined([receiver, *arguments], _joined_path) if function.attr == "joinpath" else ()


def _joined_path(parts: tuple[str, ...]) -> str:
    return posixpath.join(*parts)


def _at_home(text: str) -> str:
    return HOME + text[1:] if text == "~" or text.startswith("~/") else text
