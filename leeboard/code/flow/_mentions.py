"""Which names a function's text holds, with those of the functions of the file it may call."""

from __future__ import annotations

import msgspec

from leeboard.code.flow import ir
from leeboard.model.pattern import lazy

_WORD = lazy(r"[^\W\d]\w*")
_WHOLE_OBJECT = lazy(r"\b(?:self|this|cls)\b(?!\s*(?:\.|\?\.|->|::)\s*\w)")
_FIELD_ASKED = lazy(r"\b(?:has|get)attr\(\s*self,\s*(?=['\"])")
_DOCSTRING = lazy(r"^\s*[rR]?\"\"\"[^\"]*\"\"\"")
_MOST_WORDS = 2_000


class Mentioned(msgspec.Struct, frozen=True):
    """What a call of a function may read of its object."""

    names: frozenset[str] | None
    """None: anything, since the object itself is handed on."""
    calls_own: bool
    """Whether it may call functions of the file."""


class Mentions:
    """Asked by function, read once from the text."""

    def __init__(self, text: str, functions: dict[str, list[ir.Function]]) -> None:
        self._lines = text.split("\n")
        self._functions = functions
        self._own: dict[int, frozenset[str] | None] = {}
        self._known: dict[int, Mentioned] = {}

    def of(self, function: ir.Function) -> Mentioned:
        """With all that the functions it names mention in turn."""
        key = id(function)
        if key not in self._known:
            self._known[key] = self._gathered(function)
        return self._known[key]

    def _gathered(self, function: ir.Function) -> Mentioned:
        names: set[str] = set()
        seen = {id(function)}
        waiting = [function]
        while waiting:
            words = self._words(waiting.pop())
            if words is None or len(names) > _MOST_WORDS:
                return Mentioned(None, calls_own=True)
            names |= words
            called = [each for word in words for each in self._functions.get(word, ()) if id(each) not in seen]
            seen.update(id(each) for each in called)
            waiting += called
        return Mentioned(frozenset(names), calls_own=len(seen) > 1)

    def _words(self, function: ir.Function) -> frozenset[str] | None:
        key = id(function)
        if key not in self._own:
            # Its head only names the parameters; a function on one line is all body.
            body = "\n".join(self._lines[min(function.line, function.end - 1) : function.end])
            body = _FIELD_ASKED.sub("", _DOCSTRING.sub("", body, count=1))
            self._own[key] = None if _WHOLE_OBJECT.search(body) else frozenset(_WORD.findall(body))
        return self._own[key]
