"""Examples in the description of an interface: what stands below them is there to be read."""

from __future__ import annotations

from collections.abc import Callable

from leeboard.model.text import lazy

_NESTED = (".yaml", ".yml", ".json")
_OUTER_KEY = lazy(r"""[ \t]{0,200}(?:-[ \t]{1,4})?["']?([A-Za-z][\w\-]{0,60})["']?[ \t]{0,4}:""")
_OUTER_LINES, _OUTER_ROOM = 60, 300
_SHOWING = frozenset({"example", "examples", "description"})
_DESCRIBES = lazy(r"""(?im)^[{ \t]{0,4}["']?(?:openapi|swagger|asyncapi)["']?[ \t]{0,4}:""")
_DESCRIBING_FILE = lazy(r"(?i)(?:^|[/._\-])(?:openapi|swagger|asyncapi)(?:[._\-][\w\-]{0,20})?\.(?:ya?ml|json)$")
_HEAD = 2_000
_BESIDE = lazy(
    r"""(?:type["']?[ \t]{0,4}:[ \t]{0,4}["']?(?:object|string|array|integer|number|boolean)\b|"""
    r"""(?:schema|description|properties|summary)["']?[ \t]{0,4}:)"""
)
"""What a description of an interface says beside an example; a service that is called so has no such neighbours."""


class Examples:
    """Those of one file; `starts` are the offsets at which its lines begin."""

    def __init__(self, path: str, text: str, starts: list[int], line_at: Callable[[int], int]) -> None:
        self._path = path
        self._text = text
        self._starts = starts
        self._line_at = line_at
        self._described: dict[int, bool] = {}

    def holds(self, at: int) -> bool:
        """Whether its key or one further out says so, as descriptions of an interface have them."""
        if not self._path.endswith(_NESTED):
            return False
        line = self._line_at(at)
        outer = _indent(self._line(line))
        own = _OUTER_KEY.match(self._line(line))
        if own is not None and own[1] in _SHOWING and self._is_described(line, own.start(1)):
            return True
        for number in range(line - 1, max(0, line - _OUTER_LINES), -1):
            text = self._line(number)
            if text.strip() and (indent := _indent(text)) < outer:
                outer = indent
                named = _OUTER_KEY.match(text)
                if named is not None and named[1] in _SHOWING:
                    if number not in self._described:
                        self._described[number] = self._is_described(number, named.start(1))
                    if self._described[number]:
                        return True
            if not outer:
                break
        return False

    def _is_described(self, number: int, column: int) -> bool:
        """Whether the file describes an interface, or the keys beside this one describe a value."""
        if _DESCRIBING_FILE.search(self._path) or _DESCRIBES.search(self._text, 0, _HEAD):
            return True
        own = self._line(number)
        depth = column - (own[column - 1 : column] in {'"', "'"})
        above = range(0) if _indent(own) < depth else range(number - 1, max(0, number - _OUTER_LINES), -1)
        below = range(number + 1, min(len(self._starts), number + _OUTER_LINES) + 1)
        return self._describes(above, column, depth) or self._describes(below, column, depth)

    def _describes(self, lines: range, column: int, depth: int) -> bool:
        """Whether one of these lines does so, as far as none stands further out; the next item of a list does."""
        for number in lines:
            text = self._line(number)
            further_out = bool(text.strip()) and _indent(text) < depth
            if further_out and lines.step > 0:
                return False
            key = _OUTER_KEY.match(text)
            if key is not None and key.start(1) == column and _BESIDE.match(text, column):
                return True
            if further_out:
                return False
        return False

    def _line(self, number: int) -> str:
        """Its text, counted from one, as far as a key may reach."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return self._text[start : min(end, start + _OUTER_ROOM)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
