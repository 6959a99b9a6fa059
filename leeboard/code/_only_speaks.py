"""Code handed to an interpreter that only prints or compares what it holds: the words in it are not run.

What can not be shown to be so is taken to run them. Nor may anything else in the line make use of what is printed.
"""

from __future__ import annotations

import ast
import posixpath
import warnings

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started

_LOOKS = frozenset({"cat", "cd", "echo", "grep", "head", "ls", "pwd", "tail", "test", "true", "wc", "["})
_PYTHON = lazy(r"python[0-9.]{0,5}")
_PRINTS = {"bun": "-e", "node": "-e", "nodejs": "-e", "php": "-r", "ruby": "-e"}
_PRINTED = lazy(
    r"\s*(?:console\.(?:log|info|warn|error)|puts|print|echo)\b\s*\(?\s*"
    r"""(?:'[^'\\`]{0,2000}'|"[^"\\`$#@{]{0,2000}")\s*\)?\s*(?:;|\n|$)\s*"""
)
_PLAIN_OPTIONS = frozenset({"-B", "-E", "-I", "-S", "-s", "-u"})
_MAX_CODE, _MAX_STATEMENTS = 16_384, 50
_MODULES = frozenset({"json", "pathlib", "re", "sys"})
_FUNCTIONS = frozenset(
    "Path all any bool enumerate int len list max min open print range repr set sorted str sum tuple zip".split()
)
_ATTRIBUTES = frozenset(
    "Path count dumps endswith exists exit find findall format index is_file items join keys load loads lower lstrip"
    " match read read_text readlines rstrip search split splitlines startswith stdin strip upper values".split()
)
_SYNTAX = (
    *(ast.Module, ast.Expr, ast.Assert, ast.Assign, ast.If, ast.For, ast.With, ast.withitem, ast.Pass),
    *(ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp),
    *(ast.IfExp, ast.Subscript, ast.Slice, ast.JoinedStr, ast.FormattedValue, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.comprehension, ast.Import, ast.ImportFrom, ast.alias),
    *(ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context),
)


def only_speaks(started: Started, line: ShellEffects) -> bool:
    """Whether an interpreter of another language runs nothing, and nothing in the line runs what it prints."""
    if line.opaque or any(touch.modifies for touch in line.touches):
        return False
    return _is_harmless(started) and all(each.words[0] in _LOOKS or _is_harmless(each) for each in line.started)


def _is_harmless(started: Started) -> bool:
    program, *given = started.words
    code = _code(posixpath.basename(program), given, started.handed)
    if not code or UNKNOWN in code or len(code) > _MAX_CODE:
        return False
    return _prints(code) if posixpath.basename(program) in _PRINTS else _is_plain_python(code)


def _code(program: str, given: list[str], handed: str) -> str:
    """All that it is given; empty where that is not one piece of code."""
    if program in _PRINTS:
        return given[1] if len(given) == 2 and given[0] == _PRINTS[program] and not handed else ""
    while given and given[0] in _PLAIN_OPTIONS:
        given = given[1:]
    if not _PYTHON.fullmatch(program):
        return ""
    if given in ([], ["-"]):
        return handed
    return given[1] if len(given) == 2 and given[0] == "-c" and not handed else ""


def _prints(code: str) -> bool:
    at = 0
    for _ in range(_MAX_STATEMENTS):
        found = _PRINTED.match(code, at)
        if found is None:
            return False
        at = found.end()
        if at == len(code):
            return True
    return False


def _is_plain_python(code: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known = bound | _FUNCTIONS | _MODULES
    return not bound & (_FUNCTIONS | _MODULES) and all(_is_plain(node, known) for node in nodes)


def _is_plain(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Import(names=names):
            return all(each.name in _MODULES and each.asname is None for each in names)
        case ast.ImportFrom(module=module, names=names):
            return module == "pathlib" and all(each.name == "Path" and each.asname is None for each in names)
        case ast.Name(id=name):
            return name in known
        case ast.Attribute(attr=name, ctx=context):
            return name in _ATTRIBUTES and isinstance(context, ast.Load)
        case ast.Call(func=function, args=given, keywords=named):
            return _is_plain_call(function, given, named)
        case _:
            return isinstance(node, _SYNTAX)


def _is_plain_call(function: ast.expr, given: list[ast.expr], named: list[ast.keyword]) -> bool:
    """A function or a method by its own name; a file is opened to be read."""
    if isinstance(function, ast.Name):
        opens = function.id == "open"
        return function.id in _FUNCTIONS and not (
            opens and (len(given) != 1 or any(it.arg != "encoding" for it in named))
        )
    return isinstance(function, ast.Attribute)
