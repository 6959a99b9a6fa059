"""Where a key stands in a TOML text, for the words of an error: the parser does not tell."""

from __future__ import annotations

from leeboard.model.pattern import lazy

_HEADER = lazy(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
_ASSIGNMENT = lazy(r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_NAME = lazy(r"[\w-]+|\"[^\"]*\"|'[^']*'")

Path = tuple[str, ...]


def line_of(text: str, key: Path) -> int:
    """The line a key is first set in, or the nearest table that holds it; zero where nothing was found."""
    table: Path = ()
    best, best_line = 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            here = table = _names(header[1])
        elif assignment := _ASSIGNMENT.match(line):
            here = table + _names(assignment[1])
        else:
            continue
        shared = min(len(here), len(key))
        if shared > best and here[:shared] == key[:shared]:
            best, best_line = shared, number
    return best_line


def sets_a_key(line: str) -> bool:
    return _ASSIGNMENT.match(line) is not None


def _names(dotted: str) -> Path:
    return tuple(name.strip("\"'") for name in _NAME.findall(dotted))
