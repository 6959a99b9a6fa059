"""Whether a verb is forbidden by the words around it: "do not skip", "nobody may skip", "never skip or disable".

Read narrowly, for orders hide behind negations. The negation stands directly before the verb, only a plain subject
stands before the negation, and nothing else in the sentence takes it back.
"""

from __future__ import annotations

import re

from leeboard.model.pattern import lazy

_REACH = 240
"""Characters of the sentence that are read to either side."""
_SENTENCE_END = lazy(
    r"[.!?](?=\s|$)|\n[ \t]{0,8}\n|\n(?=[ \t]{0,8}(?:[-*+#>]|\d{1,3}[.)])\s)|(?<!:)(?<!\bthat)(?<!\bthat )\n(?=[A-Z])"
)
_MODAL = r"(?:may|must|can|should|shall|will|could|would)"
_NEGATION = (
    rf"(?:(?:(?:do|does|{_MODAL})\s+not|(?:do|does|must|should|ca|wo|could|would)n['\u2019]t|cannot|never)(?:\s+ever)?"
    rf"|(?:nobody|no\s?-?one|none\s+of\s+(?:you|them))\s+(?:{_MODAL}|is\s+allowed\s+to)"
    rf"|(?:(?:is|are)\s+not|isn['\u2019]t|aren['\u2019]t)\s+(?:allowed|permitted)\s+to)"
)
_SUBJECT = (
    r"(?:you|we|they|it|he|she|(?:(?:the|an?|any|every|each|this|all|your)\s+)?"
    r"(?:(?:sub-?)?agents?|builders?|reviewers?|implementers?|workers?|units?|hats?|stages?|unit|work|plan|scripts?))"
)
_VERB = r"(?:skip|bypass|disable|circumvent|ignore|disregard|forget|override)"
_FORBIDS = lazy(
    r"(?:^|[,;:(]|\s[-\u2013\u2014]|\b(?:and|but|so)\b)[\s\-*+#>\d.)]{0,12}(?:(?:please|also|then|again|important|note)[\s,:]+){0,2}"
    rf"(?:{_SUBJECT}\s+)?{_NEGATION}\s+(?:(?:{_VERB},\s+){{0,3}}{_VERB},?\s+or\s+)?$",
    re.IGNORECASE,
)
_VOID = (
    r"no\s+longer|(?:not|n['\u2019]t)\s+(?:true|apply|hold|count|valid|mean)|void|lifted|false|wrong|untrue|lies?|myth"
    r"|obsolete|outdated|joke|kidding"
)
_VOIDED_BEFORE = lazy(rf"\b(?:{_VOID}|pretend|forget|ignore|disregard|nobody|opposite)\b|\bused\s+to\b", re.IGNORECASE)
_VOIDED_AFTER = lazy(rf"\b(?:{_VOID}|but|unless|until|except|anyway|instead|otherwise|if|when)\b", re.IGNORECASE)
_CONTINUES = lazy(r"\s{1,4}n?or\s{1,4}", re.IGNORECASE)


def forbids(text: str, start: int, end: int) -> bool:
    """Whether what stands from `start`, where the verb is, to `end` is forbidden there."""
    before, after = _before(text, start), _after(text, end)
    found = _FORBIDS.search(before)
    return found is not None and not _VOIDED_BEFORE.search(before, 0, found.start()) and not _VOIDED_AFTER.search(after)


def goes_on(text: str, end: int, start: int) -> bool:
    """Whether what begins at `start` is forbidden with what ended at `end`: only an "or" lies between."""
    return _CONTINUES.fullmatch(text, end, start) is not None


def _before(text: str, start: int) -> str:
    """The sentence up to there. One that begins too far off has no beginning."""
    first = max(0, start - _REACH)
    window = text[first:start]
    ends = [found.end() for found in _SENTENCE_END.finditer(window)]
    if ends:
        return window[ends[-1] :]
    return f"\0{window}" if first else window


def _after(text: str, end: int) -> str:
    window = text[end : end + _REACH]
    found = _SENTENCE_END.search(window)
    return window[: found.start()] if found else window
