"""The plain way to know a copy again, to hold ours against: runs of five tokens, names and values all alike.

Two functions are the same where they share so much of all runs of both. Nothing here is the product's: tokens are told
apart by an expression of its own.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Sequence

from tools._clones_tokens import TOKEN, WORDS

WIDTH = 5
_PYTHON = re.compile(
    r"\#[^\n]*|[rRbBuUfF]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|"
    r"\d[\w.]*|[A-Za-z_]\w*|\*\*=?|//=?|[=!<>]=|->|:=|[-+*/%|&^]=|\s+|[^\s\w]"
)


class Peer:
    """The functions of a folder by their runs."""

    def __init__(self, functions: Sequence[tuple[str, str]]) -> None:
        self._runs = [runs(text, language) for text, language in functions]
        self._places: dict[int, list[int]] = {}
        for number, found in enumerate(self._runs):
            for run in found:
                self._places.setdefault(run, []).append(number)

    def share(self, number: int, text: str, language: str) -> float:
        """The share of all runs that a text and one of the functions both have."""
        mine, other = runs(text, language), self._runs[number]
        return len(mine & other) / max(1, len(mine | other))

    def shares(self, text: str, language: str, but: int) -> dict[int, float]:
        """The same of every function that has one of the runs."""
        mine = runs(text, language)
        shared = Counter([number for run in mine for number in self._places.get(run, ())])
        shared.pop(but, None)
        return {number: both / (len(mine) + len(self._runs[number]) - both) for number, both in shared.items()}


def runs(text: str, language: str) -> frozenset[int]:
    words = normal(text, language)
    return frozenset(map(hash, zip(*(words[at:] for at in range(min(WIDTH, max(1, len(words))))), strict=False)))


def normal(text: str, language: str) -> list[str]:
    """The tokens, with one word for all names and one for all values; the name of the function and comments are out."""
    found = (_PYTHON if language == "python" else TOKEN).findall(text)
    words = [token for token in found if token.strip() and token[:2] not in {"//", "/*"}]
    if language == "python":
        words = [token for token in words if token[0] != "#" and not token.lstrip("rRbBuUfF").startswith('"""')]
    known = keyword.kwlist if language == "python" else WORDS
    return [_normal(token, known) for token in words]


def _normal(token: str, known: Sequence[str] | frozenset[str]) -> str:
    if token in known:
        return token
    if token[0].isdigit() or token[-1] in "\"'`":
        return "0"
    return "v" if token[0].isalpha() or token[0] in "_$@#" else token
