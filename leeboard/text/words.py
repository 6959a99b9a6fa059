"""Words and sentences: compared without case and endings, put so that they fit, told apart from what was pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from leeboard.model.text import lazy, visible
from leeboard.text.names import keywords, split_words

_SHORTEST = 3
"""Letters that must stay when an ending goes."""
_VOWELS = frozenset("aeiouy")
_LONGEST = 40
"""Nobody writes a longer word; what is longer is data."""


@lru_cache(maxsize=4_096)
def split_name(name: str) -> tuple[str, ...]:
    """`getUserToken`, `get_user_token` and `get-user-token` all to get, user, token."""
    return tuple(split_words(name)) or ((name.lower().strip("_-$"),) if name.strip("_-$") else ())


def content_words(text: str) -> tuple[str, ...]:
    """What a text is about: its words without the common ones, stemmed, each once, in order."""
    return tuple(dict.fromkeys(stem(word) for word in keywords(text)))


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """One form for the words of a family: validate, validates, validating, validation and validator all give valid.

    For comparing, not for reading: what comes out is often no word. Words that are not English stay as they are.
    """
    lowered = word.lower()
    if len(lowered) <= _SHORTEST or len(lowered) > _LONGEST or not (lowered.isascii() and lowered.isalpha()):
        return lowered
    acted = _without(_without_plural(lowered), ("ing", "ied", "ed"))
    agent = _without(acted, ("ization", "isation", "ment", "ion", "er", "or"))
    bare = _single(agent.removesuffix("e") if len(agent) > _SHORTEST else agent)
    if bare.endswith("at") and len(bare) > _SHORTEST + 1 and bare[-3] not in _VOWELS and _was_verb(lowered, bare):
        return bare[:-2]
    return bare


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without(word: str, endings: tuple[str, ...]) -> str:
    """Without the first ending that fits and leaves a word."""
    for ending in endings:
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < _SHORTEST or not _VOWELS.intersection(rest):
            continue
        if ending in ("ization", "isation"):
            return rest + "iz"
        if ending == "ied":
            return rest + "y"
        if (ending == "ion" and rest[-1] not in "ts") or (ending == "or" and rest[-1] != "t"):
            continue
        if ending == "ment" and len(rest) == _SHORTEST:
            continue
        return rest
    return word


def _single(word: str) -> str:
    """`formatt` to format, `call` to cal: the doubled letter comes and goes with the ending."""
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in _VOWELS else word


def _was_verb(word: str, bare: str) -> bool:
    """`validat` is what is left of validate, `format` of nothing."""
    following = word[len(bare) : len(bare) + 1]
    return following in ("e", "i", "o")


# Words for an agent: they fit, stand on their line, and say in an element of ours only what we say.


_TAG = "leeboard"


def cut(text: str, room: int) -> str:
    """At most `room` characters, cut at a word."""
    if len(text) <= room:
        return text
    return text[: room - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if room > 0 else ""


def counted(number: int, noun: str) -> str:
    """`1 hook`, `2 hooks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    teen = 10 < number % 100 < 14
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def on_one_line(name: str) -> str:
    """The name of a file, in which anything may stand."""
    return visible(name.replace("\n", "\N{REPLACEMENT CHARACTER}"))


def untagged(text: str) -> str:
    """Text from outside that neither ends our element nor begins another, however often the signs are doubled."""
    if f"<{_TAG}" not in text and f"/{_TAG}" not in text:
        return text
    *before, last = text.split(_TAG)
    return _TAG.join((*map(_without_bracket, before), last))


def _without_bracket(text: str) -> str:
    bare = text.rstrip("</")
    return bare + text[len(bare) :].partition("<")[0]


def element(body: str, attributes: Mapping[str, str] | None = None) -> str:
    """What an agent reads: the words in the element by which it knows who speaks."""
    told = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{_TAG}{told}>\n{untagged(body)}\n</{_TAG}>"


def body_of(text: str) -> str:
    """The words inside such an element, for a person who knows who speaks; a text without one as it is."""
    if not text.startswith(f"<{_TAG}"):
        return text
    return text.partition(">\n")[2].removesuffix(f"\n</{_TAG}>")


# Sentences of a message with their places. A hard-wrapped line goes on in the next one; a bullet stands alone.


SENTENCE_LIMIT = 1_200
"""Nobody sets a limit in a longer one; it is pasted text."""

_BULLET = lazy(r"[ \t]*(?:(?:[-*•·–]|\d{1,3}[.)]|[a-z]\)|\[[ xX]?\])[ \t]+)+")
_LABEL = lazy(r"[A-Z][\w '’]{0,24}:(?:\s|$)")
_END_OF_LINE = lazy(r"[.!?:;。！？；：][\"'”)*_]{0,3}[ \t]*$")
_END = lazy(
    r"[.!?;。！？；\s](?:(?<=\s)(?:[–—]\s|--?\s(?!\w+=))"
    r"|(?<!\s)(?<!\be\.g.)(?<!\bi\.e.)(?<!\betc.)(?<!\bvs.)(?<![.!?;].)"
    r"(?:(?<=[.!?;])[.!?;]*+[\"”)*_]{0,3}(?=\s)|(?<=[。！？；])))"
)
"""One class in front: the engine skips to where it may fit."""
_EMPHASIS = lazy(
    r"[*_](?:(?<=\*)\*(?:(?=[^\W_])|(?<=[\w.!:]\*\*)(?![/\w*]))|(?<=_)_(?:(?=[A-Z])|(?<=[A-Za-z!:.]__)(?!\w)))"
)


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
        if bullet or not goes_on or not line.strip() or _LABEL.match(line):
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
