"""Words that try to take over the agent who reads them.

What a workflow keeps on disk is read again by every agent that follows, and what a sub-agent is told is all it knows:
a sentence planted there has the weight of an order. Only sentences that address the reader and void what it was told
count; what stands in quotes or in code is spoken of, not said, and what is forbidden is no order to do it.
"""

from __future__ import annotations

import re

from leeboard.model.text import lazy

LONGEST = 200_000

_WHAT = (
    r"(?:\w{1,20}\s){0,2}?(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders|guardrails?)\b"
)
_BEFORE = r"(?:previous|prior|above|earlier|preceding|existing|original|system|safety|developer|former)"
_VOID_WHAT_WAS_SAID = (
    r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|my|of|these|those|such)\s+){0,4}"
    rf"{_BEFORE}\s+{_WHAT}"
)
_VOID_EVERYTHING = (
    r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all|what)\s+(?:\w{1,20}\s+){0,3}?"
    r"(?:above|before\s+this|you\s+were\s+told|you\s+have\s+been\s+told|said\s+so\s+far)\b"
)
_BE_SOMEBODY_ELSE = (
    r"\byou\s+are\s+now\s+(?:(?:an?|the|in)\s+)?(?:unrestricted|unfiltered|jailbroken|uncensored|different|DAN\b|"
    r"developer\s+mode|god\s+mode|root\b|free\s+(?:from|of)\b)"
    r"|\b(?:from\s+now\s+on|henceforth),?\s+(?:you\s+(?:will|must|are\s+to)\s+)?(?:act\s+as|pretend|obey\s+only|ignore)\b"
)
_GIVE_AWAY = (
    r"\b(?:reveal|print|show|repeat|output|leak|send)\s+(?:me\s+)?(?:your|the)\s+(?:full\s+|hidden\s+|entire\s+)?"
    r"system\s+prompt\b"
)
_NEW_ORDERS = r"\bnew\s+(?:system\s+)?instructions?\s*:\s*(?:you|ignore|from|do\s+not|always|never)\b"
_BEHIND_THE_USER = (
    r"\b(?:do\s+not|don't|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|ask(?:ing)?)\s+the\s+"
    r"(?:user|human|person|reviewer)\b[^.\n]{0,60}\b(?:approve|advance|merge|skip|delete|disable|bypass|exfiltrat)"
)
_ROUND_THE_GATES = (
    r"\b(?:skip|bypass|disable|circumvent)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+){0,2}"
    r"(?:human\s+review|review\s+gates?|quality\s+gates?|workflow(?:'s)?[-\s](?:guards?|hooks?|gates?)|leeboard)\b"
)
_CHANGE_OF_SPEAKER = (
    r"<\|(?:im_start|im_end|system|endoftext)\|>|\[/?INST\]|<<SYS>>"
    r"|^\s{0,8}</?(?:system|system-prompt|system-reminder)>"
)
_PATTERNS = (_BE_SOMEBODY_ELSE, _NEW_ORDERS, _BEHIND_THE_USER, _CHANGE_OF_SPEAKER)
_FORBIDDABLE = (_VOID_WHAT_WAS_SAID, _VOID_EVERYTHING, _GIVE_AWAY, _ROUND_THE_GATES)
"""Each begins with its verb: "do not" before it makes it the opposite."""
_FOUND = lazy("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.IGNORECASE | re.MULTILINE)
_ORDERED = lazy("|".join(f"(?:{pattern})" for pattern in _FORBIDDABLE), re.IGNORECASE)
_CODE_BLOCK = lazy(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SPOKEN_OF = lazy(r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w)|«[^»\n]{1,300}»")
_UNSEEN = lazy(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
"""Format characters (Unicode's Cf), joiners and variation selectors: no width, and a reader skips them."""
_HINT = lazy(
    r"ignore|disregard|forget|override|bypass|circumvent|you\s+are\s+now|henceforth|from\s+now|system|"
    r"instructions|INST|skip|disable|im_start|endoftext|tell|inform|alert|ask",
    re.IGNORECASE,
)


def injected(text: str) -> str:
    """The first words that try it, short and on one line; empty where there are none.

    Characters that nobody sees are read over, whether they stand inside of a word or for a space.
    """
    text = text[:LONGEST]
    if text.isascii() or not _UNSEEN.search(text):
        return _said_in(text)
    return _said_in(_UNSEEN.sub("", text)) or _said_in(_UNSEEN.sub(" ", text))


def _said_in(text: str) -> str:
    if not _HINT.search(text):
        return ""
    said = _SPOKEN_OF.sub(_blank, _CODE_BLOCK.sub(_blank, text))
    found = _FOUND.search(said) or _ordered(said)
    return " ".join(found[0].split())[:80] if found else ""


def _ordered(said: str) -> re.Match[str] | None:
    """The first order to go on that the same words do not forbid."""
    forbidden_to = -1
    for found in _ORDERED.finditer(said):
        is_listed = forbidden_to >= 0 and goes_on(said, forbidden_to, found.start())
        if not is_listed and not forbids(said, found.start(), found.end()):
            return found
        forbidden_to = found.end()
    return None


def _blank(found: re.Match[str]) -> str:
    """The lines stay where they are."""
    return " " + "\n" * found[0].count("\n")


# Whether a verb is forbidden by the words around it: "do not skip", "nobody may skip", "never skip or disable".
#
# Read narrowly, for orders hide behind negations. The negation stands directly before the verb, only a plain subject
# stands before the negation, and nothing else in the sentence takes it back.


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
