"""Sentences of a message with their places. A hard-wrapped line goes on in the next one; a bullet stands alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

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


# Tells a human's own sentences from what was pasted: code, logs, diffs, quoted mail, data.
#
# Pasted lines limit nothing and say little about the goal, whatever words are in them. What they name still counts.


_FENCE = lazy(r"[ \t]{0,8}(`{3,}|~{3,})")
_PASTED_BULLET = lazy(r"[ \t]*(?:[-*•·–+]|\d{1,3}[.)]|[a-z]\)|\[[ xX]?\])[ \t]{1,3}(?=\S)")
_INDENTED = lazy(r"(?: {4}|\t)[ \t]*\S")
_DIFF_MARK = lazy(r"(?:@@ |diff --git |index [0-9a-f]{6,}|\+\+\+ |--- [ab/])")
_MACHINE_LINE = lazy(
    r"""[ \t]*(?:
      > | [+] | -(?![ \t]) | @@ | // | /\* | \*/ | \#(?!\w*\#) | <[/!?\w] | [{}\[\]|] | "[^"]{0,80}"[ ]?: | \$[ ]
    | >>>[ ] | \.\.\.[ ] | --[ ]
    | \[?\d{4}-\d\d-\d\d[T ]?\d\d | \[?\d\d?:\d\d:\d\d | \[\d | \d+[ ]?\|
    | \[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|SEVERE)\b
    | (?:error|warning|warn|info|debug|hint|note)(?:\[\w+\])?:[ ]
    | at[ ]\S{1,200}[ ]?\(?.{0,200}:\d+ | File[ ]" | Traceback[ ]\( | Caused[ ]by: | E[ ]{2,}
    | npm[ ](?:ERR!|WARN|error|warn) | \w{0,60}(?:Error|Exception)\b\S{0,60}:
    | (?:def|class|const|let|var|function|export|public|private|static|async|fn|func|pub|struct|enum|interface|impl)
      [ ]\S{1,200}[ ]?.{0,200}[{(:=;]
    | (?:From|To|Subject|Sent|Date|Cc):[ ] | On[ ].{4,120}wrote:
    | (?:import|from)[ ]\S{1,120}(?:[ ](?:import|from)\b|;|$) | (?:return|if|for|while|switch)[ ]?\(
    )""",
    re.VERBOSE,
)
_CALL_AT_END = lazy(r"\w\([^()]{0,200}\)\s*$")


@lru_cache(maxsize=8)
def separate(text: str) -> tuple[str, str]:
    """The human's own lines and the pasted ones; each a text of as many lines, the others blank."""
    own: list[str] = []
    pasted: list[str] = []
    for is_fenced, block in _blocks(text):
        is_diff = any(map(_DIFF_MARK.match, block)) or _has_both_signs(block)
        in_comment = False
        for line in block:
            in_comment = (in_comment or line.lstrip().startswith("/*")) and "*/" not in line
            is_pasted = is_fenced or is_diff or in_comment or _is_machine_made(line)
            own.append("" if is_pasted else line)
            pasted.append(line if is_pasted else "")
    return "\n".join(own), "\n".join(pasted)


def _blocks(text: str) -> list[tuple[bool, list[str]]]:
    """Paragraphs, and fenced blocks marked as such. A fence that nobody closes goes on to the end."""
    blocks: list[tuple[bool, list[str]]] = [(False, [])]
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if not fence and mark:
            blocks.append((True, []))
        elif not fence and not line.strip():
            blocks.append((False, []))
        blocks[-1][1].append(line)
        if fence and mark and mark[1].startswith(fence):
            fence = ""
            blocks.append((False, []))
        elif not fence and mark:
            fence = mark[1]
    return blocks


def _has_both_signs(block: list[str]) -> bool:
    return any(line.startswith("+") for line in block) and any(line.startswith("-") for line in block)


def _is_machine_made(line: str) -> bool:
    if line.rstrip()[-1:] in {";", "{", "}", "\\"}:
        return True
    if _PASTED_BULLET.match(line):
        return line.lstrip().startswith("+")
    return bool(_INDENTED.match(line) or _MACHINE_LINE.match(line[:600]) or _CALL_AT_END.search(line[-300:]))
