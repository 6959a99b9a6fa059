"""Nods and remarks: messages that change nothing about the goal. Nods in the languages people type them in."""

from __future__ import annotations

import re

import msgspec

from leeboard.data import load
from leeboard.model.pattern import filled, lazy

NOD_LIMIT = 60
"""A longer message says something."""
REMARK_LIMIT = 240


class _Nods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phrases: tuple[str, ...]
    words: frozenset[str]
    wide: tuple[str, ...]
    """Of languages that are written without spaces."""
    remark_words: frozenset[str]
    """None of them names a thing to work on."""
    remarks: tuple[str, ...]
    parts: dict[str, str]


_NODS = load("speech/nods", _Nods)
_WIDE_NODS = lazy(f"(?:{'|'.join(_NODS.wide)})+")
_REMARK_WORDS = _NODS.words | _NODS.remark_words
_REMARKS = tuple(lazy(filled(remark, _NODS.parts), re.IGNORECASE) for remark in _NODS.remarks)
_PIECE = lazy(r"[\w'’\-]+")
_REMARK_END = lazy(r"(?<=[.!?;])\s+|\n")
_CLAUSE_END = lazy(r"[,;:]\s*|\s+(?:and|but|then|so)\s+|\s[–—-]+\s|\.{2,}|…", re.IGNORECASE)
_ENDING = lazy(r"(?:n'?t|'(?:s|re|ve|ll|m|d))\Z")


def is_nod(text: str) -> bool:
    """`Looks good, thanks!` and `好的，继续`; not `looks good, now the invoice`. Signs alone are a nod, too."""
    lowered = text.strip().lower().replace("’", "'")
    if len(lowered) > NOD_LIMIT:
        return False
    for phrase in _NODS.phrases:
        lowered = lowered.replace(phrase, " ")
    return all(piece in _NODS.words or _WIDE_NODS.fullmatch(piece) for piece in _PIECE.findall(lowered))


def is_remark(text: str) -> bool:
    """`No, that's wrong`, `why did you do that?`, `perfect. now commit`: about the work, and no new work.

    What names a thing that is not the work itself (`still broken on the invoice page`) is more than a remark.
    """
    flat = text.strip().replace("’", "'")
    if len(flat) > REMARK_LIMIT:
        return False
    return all(_remarks(part.strip()) for part in _REMARK_END.split(flat))


def _remarks(sentence: str) -> bool:
    if _is_about_the_work(sentence) or _is_about_the_work(sentence.rstrip(" .!?")):
        return True
    return all(_is_about_the_work(clause.strip(" .!?")) for clause in _CLAUSE_END.split(sentence))


def _is_about_the_work(clause: str) -> bool:
    if any(pattern.fullmatch(clause) for pattern in _REMARKS):
        return True
    return is_nod(clause) or all(
        word in _REMARK_WORDS or _ENDING.sub("", word) in _REMARK_WORDS for word in _PIECE.findall(clause.lower())
    )
