"""Python code handed to an interpreter in a shell line: which files does it literally name?

The code is read in the order it stands in. A name has the literal values last given to it; everything that
writes and can not be resolved that way makes the code opaque, as does calling code from outside the standard library.
"""

from __future__ import annotations

import ast
import warnings

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.code._shell_python_calls import Calls, PythonEffects
from leeboard.code._shell_python_values import Values

_STAND_IN = "_unknown_text_"
_MAX_CODE = 65_536
_HARMLESS_MODULES = frozenset(
    """
    __future__ abc argparse array ast base64 binascii bisect builtins calendar cmath codecs collections colorsys
    contextlib copy csv dataclasses datetime decimal difflib dis email enum errno fnmatch fractions functools gc getpass
    glob hashlib heapq hmac html importlib inspect io ipaddress itertools json keyword linecache locale logging math
    mimetypes numbers operator os pathlib pkgutil platform pprint random re secrets shlex shutil signal site stat
    statistics string struct subprocess sys sysconfig tempfile textwrap time timeit token tokenize tomllib traceback
    types typing unicodedata unittest urllib uuid warnings weakref xml zoneinfo
    """.split()
)
"""Calling these writes no file, but for the calls that `_shell_python_calls` knows."""
_NETWORK_MODULES = frozenset({"aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket", "urllib3"})


def examine(code: str) -> PythonEffects:
    """Code that is no Python, or too much of it, is opaque."""
    if len(code) > _MAX_CODE:
        return PythonEffects(opaque=True)
    reading = _Reading()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code.replace(UNKNOWN, _STAND_IN))
        reading.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return PythonEffects(opaque=True)
    return reading.effects


class _Reading(ast.NodeVisitor):
    def __init__(self) -> None:
        self.effects = PythonEffects()
        self.values = Values(_STAND_IN)
        self.calls = Calls(self.values, self.effects)
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
        if top in _NETWORK_MODULES:
            self.effects.network = True
        elif top not in _HARMLESS_MODULES:
            self.foreign.add(name)

    def visit_Name(self, node: ast.Name) -> None:
        if _STAND_IN in node.id:
            self.effects.opaque = True
        if isinstance(node.ctx, ast.Store):
            self.values.names[node.id] = ()
            self.values.sequences.pop(node.id, None)

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


def _root(node: ast.expr) -> str:
    """The name an expression starts with."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Await | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""
