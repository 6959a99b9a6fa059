"""`setup.cfg` and `setup.py`, read and never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from leeboard.code.manifest.package import Package, Unreadable
from leeboard.code.manifest.python_requirement import requirement, requirements

_LISTS = {"install_requires", "setup_requires", "tests_require", "requires"}
_TABLES = {"extras_require"}
_DEEP = 100


def read_setup_cfg(text: str) -> Iterator[Package]:
    section, wanted = "", False
    for raw in text.split("\n"):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            section, wanted = line.strip("[]").strip(), False
        elif not raw[0].isspace():
            key, _, value = line.partition("=")
            wanted = _is_list(section, key.strip())
            yield from requirements((value,) if wanted else ())
        elif wanted:
            yield from requirements((line,))


def _is_list(section: str, key: str) -> bool:
    return section == "options.extras_require" or (section == "options" and key in _LISTS)


def read_setup_py(text: str) -> Iterator[Package]:
    """Lists that are written out, in the call of `setup` or under a name of the module."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of their code, not of ours
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable("it is no valid Python") from error
    known = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) == "setup":
            for keyword in node.keywords:
                if keyword.arg in _LISTS | _TABLES:
                    yield from _required(keyword.value, known, _DEEP)


def _called(func: ast.expr) -> str:
    if isinstance(func, ast.Name):
        return func.id
    return func.attr if isinstance(func, ast.Attribute) else ""


def _required(value: ast.expr, known: dict[str, ast.expr], deep: int) -> Iterator[Package]:
    """Every requirement in a list, a table of lists, a sum of them or under a name."""
    match value:
        case ast.Constant(value=str(line)):
            found = requirement(line)
            yield from (found,) if found else ()
        case _ if not deep:
            return
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            for item in items:
                yield from _required(item, known, deep - 1)
        case ast.BinOp(left=left, right=right):
            yield from _required(left, known, deep - 1)
            yield from _required(right, known, deep - 1)
        case ast.Starred(value=inner):
            yield from _required(inner, known, deep - 1)
        case ast.Name(id=name) if name in known:
            # Looked up once: a name that stands for itself, or for itself many times, ends here.
            yield from _required(known.pop(name), known, deep - 1)
