"""A text without what formatters change: the same for two that mean the same, as far as that shows in any language.

Where lines break and how far they stand in counts outside of brackets only (Python, YAML, make files), and there by
the level alone. White space counts inside of quotes and between two words. Kinds of quotes and trailing commas do not.
"""

from __future__ import annotations

from leeboard.model.pattern import lazy

LARGEST_PLAIN = 128 << 10
"""Characters of a text that is looked at so closely: it takes time, and each read of a file asks for it."""
_TOKEN = lazy(
    r'(?P<quoted>"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'?|`(?:[^`\\\n]|\\.)*`?)'
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<line>\n[^\S\n]*)|(?P<blank>[^\S\n]+)|[^\s\"'`()\[\]{}]+"
)
_TAB = 8


def plain_of(text: str) -> str:
    scan = _Scan()
    for token in _TOKEN.finditer("\n" + "\n".join(text.removeprefix("\ufeff").splitlines())):
        scan.take(token.lastgroup or "", token[0])
    return "".join(scan.parts)


class _Scan:
    def __init__(self) -> None:
        self.parts: list[str] = []
        self._depth = 0
        self._levels: list[int] = []
        self._gap = False
        self._line: str | None = None
        """How the line begins that nothing has been found in yet."""

    def take(self, kind: str, token: str) -> None:
        if kind == "blank":
            self._gap = True
        elif kind == "line":
            self._line, self._gap = (None if self._depth else token[1:]), True
        else:
            self._begin(token)
            self._add(kind, token)

    def _begin(self, token: str) -> None:
        """What stands between this token and the one before."""
        if self._line is not None:
            self.parts.append(self._level(self._line))
        elif self._gap and self.parts and _is_word(self.parts[-1][-1:]) and _is_word(token[0]):
            self.parts.append(" ")
        self._line, self._gap = None, False

    def _add(self, kind: str, token: str) -> None:
        if kind == "quoted":
            closed = len(token) > 1 and token[-1] == token[0]
            token = f'"{token[1:-1]}"' if closed else f'"{token[1:].rstrip()}'
        elif kind == "close" and self.parts and self.parts[-1].endswith(","):
            self.parts[-1] = self.parts[-1][:-1]
        self._depth = max(self._depth + (kind == "open") - (kind == "close"), 0)
        self.parts.append(token)

    def _level(self, blanks: str) -> str:
        width = len(blanks.expandtabs(_TAB))
        while self._levels and width < self._levels[-1]:
            self._levels.pop()
        if width > (self._levels[-1] if self._levels else 0):
            self._levels.append(width)
        mark = "t" if "\t" in blanks else ""  # make tells the two apart
        return f"\n{len(self._levels)}{mark} "


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
