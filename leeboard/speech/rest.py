"""Words that mark a rest: a part of the work is done, or all of it.

A message that closes one step before the next is planned is a natural pause; "the task is complete" is the end.
"""

from __future__ import annotations

import re
from functools import lru_cache

from leeboard.model.text import lazy
from leeboard.speech.red_flags import plain, spoken

_HEAD = 600
"""What is done is said at the beginning or at the end of a message."""

_DONE = r"(?:done|completed?|finished)"
_STATE = r"(?:done|completed?|finished|in place|implemented|working|fixed|wired up|ready)"
_WORK = (
    r"(?:task|work|job|feature|implementation|refactor(?:ing)?|migration|changes?|build|project|request|fix|"
    r"everything|all (?:of )?(?:it|them|tasks|steps|todos|items|changes))"
)
_PART = lazy(
    r"\bthat (?:completes|finishes|wraps up|concludes|takes care of)\b|"
    rf"\b(?:step|part|phase|task|item|stage|milestone|todo) (?:[\w.]{{1,20}} )?(?:is|are) (?:now )?{_DONE}\b|"
    rf"\b(?:the|this) (?:[\w\-./]{{1,40}} ){{1,4}}(?:is|are) (?:{_DONE}|now {_STATE})\b|"
    r"\bi(?: have)? (?:now )?(?:finished|completed)\b|\b(?:done|finished) with (?:the|this|that)\b|"
    r"\ball tests (?:now )?pass\b|(?:^|[.!]\s|\n)(?:done|finished)[.!](?:\s|$)|\b(?:moving|on) to the next\b"
)
_WHOLE = lazy(
    rf"\b{_WORK} (?:is|are|has been|have been) (?:now |all |fully )?(?:{_DONE}|all set)\b|"
    rf"\b(?:all|everything)(?: (?:is|are))? (?:now )?{_DONE}\b|"
    r"\bi(?: have)? (?:now )?(?:finished|completed) "
    r"(?:all|(?:the|this|your) (?:whole |entire )?(?:task|work|implementation|request|job))\b|"
    r"\bthat (?:completes|finishes|concludes) (?:the|this|your|all) (?:\w{1,20} ){0,2}"
    r"(?:task|work|request|job|implementation)\b|"
    r"\bnothing (?:is |else )?(?:left|remains|remaining)\b|\bready for (?:review|you to review)\b"
)
_HINTS = (
    "complet finish done conclude wrap takes place implemented working fixed wired ready pass moving next all set "
    "nothing"
).split()
"""One of these is in every text that marks a rest."""
_NOT_YET = lazy(
    r"\b(?:not|never|once|when|until|after|before|if|unless|almost|nearly|partially|half|isn't|aren't|should be|"
    r"will be|to be)\b[^.!?\n]{0,60}\Z"
)


@lru_cache(maxsize=8)
def is_pause_text(text: str) -> bool:
    """Whether the agent says that a part of the work is done: "That completes the parser", "Step 2 is done".

    Asked for by several about one text.
    """
    words = _telling(text)
    return _says(words, _PART) or _says(words, _WHOLE)


def is_done_text(text: str) -> bool:
    """Whether the agent says that the task is complete."""
    return _says(_telling(text), _WHOLE)


def _telling(text: str) -> str:
    """Where a message says what is done, in plain words; empty for the many that do not."""
    edges = text if len(text) <= 2 * _HEAD else f"{text[:_HEAD]}\n{text[-_HEAD:]}"
    lowered = edges.lower()
    return plain(spoken(edges)) if any(hint in lowered for hint in _HINTS) else ""


def _says(words: str, pattern: re.Pattern[str]) -> bool:
    return any(
        not _NOT_YET.search(words[max(0, match.start() - 80) : match.start()]) for match in pattern.finditer(words)
    )
