"""Sentences of a message with their places. A hard-wrapped line goes on in the next one; a bullet stands alone."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.pattern import lazy

SENTENCE_LIMIT = 1_200
"""Nobody sets a limit in a longer one; it is pasted text."""

_BULLET = lazy(r"[ \t]*(?:(?:[-*•·–]|\d{1,3}[.)]|[a-z]\)|\[[ xX]?\])[ \t]+)+")
_END_OF_LINE = lazy(r"[.!?:;。！？；：][\"'”)*_]{0,3}[ \t]*$")
_END = lazy(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<![.!?;])(?:[.!?;]++[\"”)*_]{0,3}(?=\s)|[。！？；])|\s[–—]\s|\s--?\s(?!\w+=)"
)
_EMPHASIS = lazy(r"\*\*(?=[^\W_])|(?<=[\w.!:])\*\*(?![/\w*])|__(?=[A-Z])|(?<=[A-Za-z!:.])__(?!\w)")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Offset and text of each sentence. Emphasis is blanked, so that every place stays the same."""
    text = _EMPHASIS.sub("  ", text)
    for start, end in _paragraphs(text):
        at = start
        for match in _END.finditer(text, start, end):
            yield from _sized(text, at, match.end())
            at = match.end()
        yield from _sized(text, at, end)


def _sized(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    sentence = text[start:end]
    bare = sentence.lstrip()
    if 3 < len(bare) <= SENTENCE_LIMIT:
        yield start + len(sentence) - len(bare), bare.rstrip()


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start, at, goes_on = 0, 0, False
    for line in text.splitlines(keepends=True):
        bullet = _BULLET.match(line)
        if bullet or not goes_on or not line.strip():
            if at > start:
                yield start, at
            start = at + (bullet.end() if bullet else 0)
        goes_on = bool(line.strip()) and not _END_OF_LINE.search(line.rstrip("\r\n")[-80:])
        at += len(line)
    if at > start:
        yield start, at
