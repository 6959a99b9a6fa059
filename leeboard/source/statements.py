"""A function's body as statements: each a run of tokens with their roles, one character for each.

What can be written in several ways is written in one: brackets that only group, commas before a closing bracket, types
of variables, documentation and lines that only log are gone.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.source.tokens import BY_LINE, GONE, reader, role, tokens

LONGEST = 6_000
"""Tokens that are looked at; a longer function is known by its beginning."""
_LONGEST_TEXT = 120_000

Statement = tuple[str, list[str]]
"""The roles and the tokens, equally many."""

_HEADS = frozenset(role(word) for word in "if elif for while switch catch".split())
"""What is followed by a condition in brackets."""
_COLON_HEADS = frozenset(
    role(word) for word in "if elif else for while try catch finally with switch def class".split()
)
_CASES = frozenset((role("case"), role("default")))
_DEF, _LET, _ARROW = role("def"), role("let"), role("=>")
_OPERATORS = "?&|+*/=<>%" + "".join(role(word) for word in ("and", "or", "==", "!=", "??", "..", "<=", ">="))
_CARRIES_ON = frozenset(",([:.-" + _ARROW + _OPERATORS)
"""A line that ends so goes on in the next."""
_CARRIED_ON = {
    **dict.fromkeys(("javascript", "typescript", "tsx", "kotlin"), frozenset(".:-" + _OPERATORS)),
    "ruby": frozenset((".", "?", role("and"), role("or"))),
}
"""A line that begins so belongs to the one before."""
_MARKS = lazy(r"[\n;:(){}\[\]]")
_MAY_TRAIL = lazy(r",[)\]}]")
_CLUTTER = lazy(rf"[{GONE}\n]+|,(?=[{GONE}\n]*[)\]}}]|[{GONE}\n]*\Z)")
_AFTER_DOT = lazy(r"\.[\x80-\xff](?=[^\w]|\Z)")
_HEAD_MARKS = lazy(rf"[()\[\]{{:\n={_ARROW}]")
_INSERTED = lazy(r"[#$]?\{([^{}]{1,200})\}|\$(\w{1,60})")
_PYTHON_INSERTED = lazy(r"\{([^{}!:=]{1,200})()")
_LOGGERS = frozenset(
    "log logger logging console warnings slog glog klog zap _log _logger flog timber nslog tracing".split()
)
_ANNOTATED = lazy(rf"({_LET}?[vT]):[^=]*(=|\Z)")


class Body(msgspec.Struct, frozen=True):
    """The tokens of a function behind its head, and those of its head: in Python the parameters alone."""

    tokens: list[str]
    roles: str
    head: frozenset[str]


def body_of(text: str, language: str) -> Body:
    """All of a text where no head is seen. Texts with code inside are opened."""
    found = tokens(text[:_LONGEST_TEXT], language)[:LONGEST]
    roles = "".join(map(reader(language)[1].__getitem__, found))
    end = _head_end(roles, language)
    body, head = found[end:], frozenset(_parameters(found[:end]) if language == "python" else found[:end])
    if "{" not in text and "$" not in text:
        return Body(body, roles[end:], head)
    opened = _opened(body, language)
    return Body(opened, "".join(map(reader(language)[1].__getitem__, opened)), head)


def statements(body: Body, language: str) -> Iterator[Statement]:
    """The statements of a body, cleaned; roles tell what is called, what belongs to what, what names an argument."""
    words, roles = body.tokens, body.roles
    cuts, grouping = _cuts(roles, language)
    if grouping:
        kept = list(roles)
        for at in grouping:
            kept[at] = GONE
        roles = "".join(kept)
    for start, end in cuts:
        cleaned = _clean(roles[start:end], words[start:end], language)
        if cleaned[0]:
            yield cleaned


def _head_end(roles: str, language: str) -> int:
    """Where the body begins."""
    depth, closed, start = 0, False, max(0, roles.find(_DEF)) if language == "python" else 0
    ends = {"python": ":", "ruby": "\n", "kotlin": "{=" + _ARROW}.get(language, "{" + _ARROW)
    for mark in _HEAD_MARKS.finditer(roles, start):
        found = mark.group()
        if found in "([":
            depth += 1
        elif found in ")]":
            depth -= 1
            closed = True
        elif depth <= 0 and found in ends and (found != "=" or closed):
            return mark.end()
    return 0


def _parameters(head: list[str]) -> Iterator[str]:
    """The names of a Python head without those of its annotations: a `str` that is called is no name of its own."""
    depth, before = 0, ""
    for word in filter("\n".__ne__, head):
        if word in {"(", "[", "{"}:
            depth += 1
        elif word in {")", "]", "}"}:
            depth -= 1
        elif depth == 1 and before in {"(", ",", "*", "**"} and word.isidentifier():
            yield word
        before = word


def _opened(body: list[str], language: str) -> list[str]:
    """Texts with code inside are followed by that code."""
    opened: list[str] = []
    for token in body:
        opened.append(token)
        if len(token) > 3 and _inserts(token, language):
            inserted = _PYTHON_INSERTED if language == "python" else _INSERTED
            for braced, plain in inserted.findall(token):
                opened.extend(part for part in tokens(braced or plain, language) if part != "\n")
    return opened


def _inserts(token: str, language: str) -> bool:
    if language == "python":
        return token[0] in "fFtTrR" and token[-1] in "\"'" and "f" in token[:2].lower()
    return token[0] in "`$" or (token[0] == '"' and language in {"ruby", "php", "kotlin"})


def _cuts(roles: str, language: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Start and end of each statement, and the brackets that only group."""
    cutter = _Cutter(roles, language)
    for mark in _MARKS.finditer(roles):
        cutter.read(mark.group(), mark.start())
    cutter.cut(len(roles), len(roles))
    return cutter.cuts, cutter.grouping


class _Cutter:
    """Reads the marks of a body from left to right."""

    def __init__(self, roles: str, language: str) -> None:
        self.roles = roles
        self.cuts: list[tuple[int, int]] = []
        self.grouping: list[int] = []
        self._start = 0
        self._open: list[str] = []
        self._python = language == "python"
        self._by_line = language in BY_LINE
        self._carried_on = _CARRIED_ON.get(language, frozenset())

    def cut(self, end: int, following: int) -> None:
        if end > self._start:
            self.cuts.append((self._start, end))
        self._start = following

    def read(self, mark: str, at: int) -> None:
        if mark in "([" or (mark == "{" and self._python):
            self._open.append(self._kind(mark, at))
        elif mark in ")]" or (mark == "}" and self._python):
            self._close(at)
        elif mark in "{}":
            self._brace(mark, at)
        elif mark == "\n":
            if self._ends_line(at):
                self.cut(at, at + 1)
        elif mark == ";":
            if not self._open or self._open[-1] == "{":
                self.cut(at, at + 1)
        elif not self._open or self._open[-1] == "{":
            first = self.roles[self._start : self._start + 1]
            if first in _CASES or (self._python and first in _COLON_HEADS):
                self.cut(at, at + 1)

    def _kind(self, mark: str, at: int) -> str:
        before = self.roles[at - 1 : at]
        if mark != "(" or before in {"v", "T", ")", "]", "s"}:
            return "call"
        self.grouping.append(at)
        return "head" if before in _HEADS and not self._python else "group"

    def _close(self, at: int) -> None:
        kind = self._open.pop() if self._open else "call"
        if kind in {"group", "head"}:
            self.grouping.append(at)
        if kind == "head":
            self.cut(at, at + 1)

    def _brace(self, mark: str, at: int) -> None:
        self.cut(at, at + 1)
        if mark == "{":
            self._open.append("{")
        elif self._open:
            self._open.pop()

    def _ends_line(self, at: int) -> bool:
        if not self._by_line or (self._open and (self._python or self._open[-1] != "{")):
            return False
        if self._python:
            return True
        following = self.roles[at + 1 : at + 40].lstrip("\n")[:1]
        return self.roles[at - 1 : at] not in _CARRIES_ON and following not in self._carried_on


def _clean(roles: str, words: list[str], language: str) -> Statement:
    """Without what says nothing; the names told apart by what they stand for."""
    if GONE in roles or "\n" in roles or "," in roles[-1:] or _MAY_TRAIL.search(roles):
        kept = [at for start, end in _spans(roles) for at in range(start, end)]
        roles, words = "".join([roles[at] for at in kept]), [words[at] for at in kept]
    if roles.strip("s") == "" or _only_logs(roles, words):
        return "", []
    if language == "python" and roles[0] == _DEF:
        return _DEF, words[:2]
    annotated = _ANNOTATED.match(roles) if ":" in roles else None
    if annotated and language in {"python", "typescript", "tsx", "kotlin", "rust"}:
        first, rest = annotated.end(1), annotated.start(2)
        roles, words = roles[:first] + roles[rest:], words[:first] + words[rest:]
    return _told_apart(roles, words, language)


def _spans(roles: str) -> Iterator[tuple[int, int]]:
    """What is left between the clutter."""
    start = 0
    for clutter in _CLUTTER.finditer(roles):
        yield start, clutter.start()
        start = clutter.end()
    yield start, len(roles)


def _only_logs(roles: str, words: list[str]) -> bool:
    called = roles.find("(")
    if called < 3 or "=" in roles[:called]:
        return False
    return words[called - 3].lower() in _LOGGERS or (called >= 5 and words[called - 5].lower() in _LOGGERS)


def _told_apart(roles: str, words: list[str], language: str) -> Statement:
    roles = _AFTER_DOT.sub(".v", roles) if "." in roles else roles
    roles = roles.replace("T(", "f(").replace("v(", "f(").replace(".f", ".m").replace(".v", ".a").replace(".T", ".a")
    if language in {"python", "kotlin"}:
        head, bracket, rest = roles.partition("(")
        roles = head + (bracket + rest).replace("(v=", "(k=").replace(",v=", ",k=")
    if language != "python" and ":" in roles:
        roles = f",{roles}".replace("(v:", "(k:").replace(",v:", ",k:").replace(",T:", ",k:")[1:]
    return roles, words
