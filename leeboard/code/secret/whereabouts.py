"""Where in its file a secret stands, and what that takes from it: test, example, docstring, scratch file, comment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from leeboard.code.language import is_test_path
from leeboard.code.secret.hit import Hit
from leeboard.code.secret.randomness import is_random, is_strong
from leeboard.code.secret.style import is_sample, is_sample_file, is_scratch, style_of
from leeboard.model.pattern import lazy

_ALLOWED = lazy(
    r"(?i)pragma:\s?allowlist\s(?:nextline\s)?secret|gitleaks:allow|\bnosec\b|trufflehog:ignore|ggignore|"
    r"noboost|pragma: whitelist secret"
)
_ALLOW_WORDS = ("allowlist", "gitleaks", "nosec", "trufflehog", "ggignore", "noboost", "whitelist")
_COMMENT = lazy(r"[ \t]{0,400}(?:#|//|/?\*|<!--|--[ \t]|;[ \t]|\"\"\"|>>>)")
_TRIPLE = lazy(r"\"\"\"|'''")
_DOCSTRING_LEAD = lazy(r"(?:\A|\n)[ \t]{0,200}[rRuU]?\Z")
_ROOM = 420
_PROVIDERS = 0.95
"""From this on a key is one wherever it stands."""


class Whereabouts:
    """One file. Nothing is looked at before a secret asks for it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Of its lines."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def line_at(self, offset: int) -> int:
        """Counted from one."""
        return bisect_right(self.starts, offset)

    @cached_property
    def _allowing(self) -> list[int]:
        """Where comments stand that allow a secret on their line."""
        lowered = self.text.lower()
        if not any(word in lowered for word in _ALLOW_WORDS):
            return []
        return [mark.start() for mark in _ALLOWED.finditer(self.text)]

    @cached_property
    def _docstrings(self) -> list[tuple[int, int]]:
        """Of Python: strings in three quotes that are a statement of their own, by place."""
        return _docstrings(self.text) if self.path.endswith((".py", ".pyi")) else []

    def _in_docstring(self, at: int) -> bool:
        index = bisect_right(self._docstrings, (at, len(self.text))) - 1
        return index >= 0 and at < self._docstrings[index][1]

    def weighed(self, hit: Hit, first: int, end: int) -> tuple[float, str]:
        """What file and line (`first` to `end`) take from it, and why it is at most logged."""
        if hit.note:
            return hit.confidence, hit.note
        if bisect_left(self._allowing, first) < bisect_left(self._allowing, end):
            return hit.confidence, "allowed by a comment"
        if hit.confidence >= _PROVIDERS:
            return hit.confidence, ""
        reason = self._shown_off(hit)
        if reason:
            return hit.confidence, reason
        confidence = hit.confidence - (0.1 if is_test_path(self.path) else 0.0)
        if is_sample(self.path) or style_of(self.path) == "prose" or _COMMENT.match(self.text, first, end):
            confidence -= 0.12
        return round(confidence, 2), ""

    def _shown_off(self, hit: Hit) -> str:
        """Why nobody has to hide it; a private key has to be hidden everywhere."""
        if is_test_path(self.path) and not is_random(hit.value):
            return "test fixture"
        if hit.kind == "private-key":
            return ""
        if is_scratch(self.path) and not is_strong(hit.value):
            return "scratch file"
        if is_sample_file(self.path):
            return "example file"
        return "example in a docstring" if self._in_docstring(hit.start) else ""


def _docstrings(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened = _TRIPLE.search(text)
    while opened is not None:
        end = text.find(opened.group(), opened.end())
        if end < 0:
            break
        if _is_statement(text, opened.start()):
            spans.append((opened.start(), end + 3))
        opened = _TRIPLE.search(text, end + 3)
    return spans


def _is_statement(text: str, at: int) -> bool:
    """Alone on its line, behind a colon, a comment or nothing: no value of anything."""
    if _DOCSTRING_LEAD.search(text, max(0, at - _ROOM), at) is None:
        return False
    before = text[max(0, at - _ROOM) : at].rstrip(" \t\r\nrRuU")
    line = before[before.rfind("\n") + 1 :].lstrip()
    return not before or before.endswith(":") or line.startswith("#")
