"""The names which one of Python's import statements binds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FROM = lazy(r"from\s+(\.{0,9}[\w.]*)\s+import\s+([\s\S]{1,4000})")
_NAME = lazy(r"([\w.]+)(?:\s+as\s+(\w+))?")
_COMMENT = lazy(r"#[^\n]*")


def bindings(node: SgNode) -> Iterator[tuple[str, str]]:
    """Local name and dotted path: `import a.b` binds `a`, `from a import b as c` binds `c` to `a.b`."""
    text = _COMMENT.sub("", node.text())
    if found := _FROM.match(text):
        module = found[1].lstrip(".")
        for name, alias in _NAME.findall(found[2]):
            yield alias or name, f"{module}.{name}" if module else name
        return
    for name, alias in _NAME.findall(text.removeprefix("import")):
        yield (alias, name) if alias else (name.partition(".")[0], name.partition(".")[0])
