"""The sixteen red-flag phrases: what an agent says when it is about to go astray.

Each is one piece of evidence and never a finding by itself. They are looked for in PLAN text only, and only where the
agent speaks of what it is going to do: not in quotes, code or block quotes, not negated ("I won't hardcode it"), not in
reports about code that is there ("the old handler skips validation").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.text import filled, lazy
from leeboard.text.words import sentences

TEXT_READ = 24_000


class Flag(msgspec.Struct, frozen=True):
    id: str
    """RF-A1 to RF-D4."""
    phrase: str
    """The words that matched, in lower case."""
    sentence: str


_FENCE = lazy(
    r"^[ \t]{0,3}(?:```|~~~)[^\n]*\n(?:(?![ \t]{0,3}(?:```|~~~))[^\n]*\n)*(?:[ \t]{0,3}(?:```|~~~)[^\n]*)?",
    re.MULTILINE,
)
_QUOTED_LINE = lazy(r"^[ \t]{0,3}>[^\n]*", re.MULTILINE)
_SPAN = lazy(r"`([^`\n]{0,300})`|\"([^\"\n]{0,300})\"|“([^”\n]{0,300})”|'(?<![\w']')([^'\n]{2,300})'(?!\w)")
"""Each way begins with its quote, so that the engine skips to one."""
_WILL = "i'll|i am going to|i'm going to|i'm gonna|let me|let's|let us|we'll|we will|we're going to".split("|")
_DENIED = "do does did could should would is are have has".split()
_WRITTEN_OUT = {
    **dict.fromkeys(_WILL, "i will"),
    **{f"{verb}n't": f"{verb} not" for verb in _DENIED},
    "i'm": "i am",
    "i'd": "i would",
    "i've": "i have",
    "we're": "we are",
    "there's": "there is",
    "won't": "will not",
    "can't": "cannot",
}
_CONTRACTED = lazy(rf"\b(?:{'|'.join(sorted(_WRITTEN_OUT, key=len, reverse=True))})\b")
_UNMARKED = ("let me", "let us", "we will", "i am going to")
"""What is written out though it has no apostrophe."""
_NEGATED = lazy(
    r"\b(?:will not|not|never|without|avoid|instead of|rather than|no longer|nor|refuse to)\b[^.!?;,]{0,30}\Z"
)
_NEGATED_INSIDE = lazy(
    r"\b(?:i|we) (?:will|should|could|can|would|need|have|want)(?: to)? (?:not|never)\b|"
    r"\bnot (?:have|need|going|want) to\b"
)
"""`I will not hardcode` and `I don't need to re-read it` lie inside the words that matched."""
_REPORTED = lazy(
    r"\b(?:it|they|he|she|which|that|code|author|handler|function|file|module|existing|previous|current|original|someone|user)"
    r"\s(?:said|says|say|wants?|asked|asks)\b[^.!?;]{0,20}\Z"
)


def red_flags(text: str) -> tuple[Flag, ...]:
    """The phrases in a PLAN text, in their order, each once a sentence."""
    said = told(text)
    everything = "\n".join(words for _sentence, words in said)
    hinted = {at for hint, at in _HINTS if hint in everything}
    if not hinted:
        return ()
    likely = [PHRASES[at] for at in sorted(hinted)]
    return tuple(flag for sentence, words in said for flag in _flags_of(sentence, words, likely))


@lru_cache(maxsize=8)
def told(text: str) -> tuple[tuple[str, str], ...]:
    """The sentences an agent says itself, each as it stands and in plain words. Asked for by several about one text."""
    said = sentences(spoken(text[:TEXT_READ]))
    return tuple((sentence, " ".join(plain(sentence).split())) for _at, sentence in said)


def spoken(text: str) -> str:
    """The text without what it merely shows: code blocks, block quotes, quotations. A quoted single word stays."""
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("\n", text + "\n")
    if ">" in text:
        text = _QUOTED_LINE.sub("", text)
    return _SPAN.sub(_bare_word, text)


def _bare_word(match: re.Match[str]) -> str:
    inside = next(group for group in match.groups() if group is not None)
    return inside if inside and " " not in inside and len(inside) <= 60 else "…"


def plain(text: str) -> str:
    """Lower case, straight apostrophes, contractions written out: `I’ll`, `let me` and `I'm going to` are one."""
    text = text.lower().replace("’", "'")
    if "'" not in text and not any(sign in text for sign in _UNMARKED):
        return text
    return _CONTRACTED.sub(lambda match: _WRITTEN_OUT[match.group()], text)


def _flags_of(sentence: str, words: str, likely: list[Phrase]) -> Iterator[Flag]:
    for phrase in likely:
        if not any(hint in words for hint in phrase.hints):
            continue
        match = phrase.pattern.search(words)
        if match is not None and not _denied(phrase, words, match):
            yield Flag(phrase.flag, match.group().strip(), sentence)


def _denied(phrase: Phrase, words: str, match: re.Match[str]) -> bool:
    before = words[max(0, match.start() - 60) : match.start()]
    if _REPORTED.search(before):
        return True
    if _NEGATED_INSIDE.search(match.group()):
        return True
    return not phrase.may_deny and bool(_NEGATED.search(before))


# The red-flag phrases as expressions over plain text.


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    flag: str
    hints: tuple[str, ...]
    pattern: str
    alias: str = ""
    may_deny: bool = False


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    phrases: tuple[_Row, ...]


class Phrase(msgspec.Struct, frozen=True):
    flag: str
    hints: tuple[str, ...]
    """Words of which one occurs."""
    pattern: re.Pattern[str]
    may_deny: bool
    """Its own words deny something."""


_TABLE = load("speech/red_flags", _Table)
PHRASES = tuple(
    Phrase(row.alias or row.flag, row.hints, lazy(filled(row.pattern, _TABLE.parts)), row.may_deny)
    for row in _TABLE.phrases
)
"""All of them; one that is another under a second name bears that one's flag."""
_HINTS = tuple((hint, at) for at, phrase in enumerate(PHRASES) for hint in phrase.hints)
