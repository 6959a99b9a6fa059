"""Which module of a package imports which, read from the sources: imports inside functions count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def module_name(path: Path, root: Path) -> str:
    """A package goes by its folder."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def importers(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """For each module those that import it, itself left out."""
    found: dict[str, set[str]] = {name: set() for name in sources}
    for name, text in sources.items():
        for imported in _imported(text, sources):
            if imported != name:
                found[imported].add(name)
    return found


def _imported(text: str, known: Mapping[str, str]) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (module for module in inside if module in known)
            if node.module in known and any(module not in known for module in inside):
                yield node.module


def cycles(imports: Mapping[str, set[str]]) -> set[str]:
    """The modules from which a chain of imports leads back to them. What nobody imports, or imports nothing of the
    rest, is taken away until nothing more can be; then the few that are left are followed one by one.
    """
    left = {name: set(by) for name, by in imports.items()}
    while True:
        importing = set().union(*left.values())
        ends = {name for name, by in left.items() if not by or name not in importing}
        if not ends:
            return {name for name in left if name in _reached(name, left)}
        left = {name: by - ends for name, by in left.items() if name not in ends}


def _reached(start: str, imports: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = list(imports[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += imports[name]
    return seen
