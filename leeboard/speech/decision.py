"""What an agent decides in its own words, and where it takes a decision up again.

A decision has a subject (the words it is about) and a choice. "I'll go with REST instead of GraphQL" decides; "let me
reconsider REST", "should we use REST or GraphQL?" and "actually, GraphQL is better than REST" take it up again. Whether
something was decided before is for the reader of the ledger to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from leeboard.model.ledger import Entry
from leeboard.model.text import lazy
from leeboard.speech.red_flags import told
from leeboard.text.likeness import shared_words
from leeboard.text.words import content_words, stem

Step = Literal["decided", "reopened"]

_MOST_WORDS = 8
_LONGEST = 400
"""A longer sentence is a paragraph without stops: nobody decides one thing in it."""

_MAY_DECIDE = lazy(
    r"decid|opt|settl|go(?:ing)? (?:to|on|for|with)|stick|stay|choose|chose|pick|adopt|prefer|use|consider|think|"
    r"evaluate|revisit|sure|second|actually|wait|hmm|whether|better|vs|versus"
)
"""One of these is in every sentence that is looked at."""
_WHO = r"(?:i will|we will|i am|we are|i would|i have|we have|i|we|so|decision:|therefore)"
_CHOOSES = lazy(
    rf"\b(?:{_WHO} )?(?:(?:decide[ds]?|opted|opt|settled?|going|go|stick|sticking|stay) "
    r"(?:to (?:use|go with) |on |for |with )|(?:choose|chose|pick|picked|adopt|prefer) )(?P<rest>[^.!?;]{2,160})"
)
_USES = lazy(r"\b(?:i will|we will|i would|i should|we should) (?:just |simply |instead )?use (?P<rest>[^.!?;]{2,160})")
_CONTRAST = lazy(r"\b(?:instead of|rather than|over|not|versus|vs)\b")
_PURPOSE = lazy(r"\b(?:for|as|to (?:store|handle|serve|manage|cache|render|represent|expose|implement|model))\b")
_BECAUSE = lazy(r"\b(?:because|since|so that|which|, as|, so)\b")
_REOPENS = lazy(
    r"\b(?:i will|i should|we should|i need to|i want to|i might|i have to) (?:\w+ ){0,2}"
    r"(?:reconsider|rethink|re-think|re-?evaluate|think again about)\b|"
    r"\brevisit (?:\w+ ){0,3}(?:decision|choice|question|approach|design|whether)\b|"
    r"\bi am not (?:so |really |entirely |quite )?sure (?:about|(?:whether|if) (?:i|we|it) should)\b|"
    r"\b(?:on second thoughts?|actually|wait|hmm)\b[^.!?;]{0,60}\b(?:use|go with|switch|choose|instead|rather|better)\b"
)
_ASKS = lazy(
    r"\b(?:should (?:i|we) (?:use|go with|choose|pick|stick with)|whether to (?:use|go with|choose)|"
    r"would (?:it be better|[\w\-]{2,30} be better))\b|\b[\w\-]{2,30} (?:vs\.?|versus) [\w\-]{2,30}"
)
_LEARNED = lazy(
    r"\b(?:because|since|turns out|given that|now that|i see|i notice|noticed|found that|realis?z?ed|due to|"
    r"as (?:the|it|this)|the (?:error|output|log|logs|test|tests|docs?|documentation|traceback|failure|user) |"
    r"fail(?:s|ed|ing)?|error|broke|breaks|does not (?:work|support|exist|compile)|not supported|unsupported|"
    r"you (?:asked|said|want|mentioned)|according to|looking at)\b"
)
_ACRONYM = lazy(r"\b[A-Z][A-Z0-9]{1,11}\b")
"""`REST` is a name, `rest` is not."""
_PLAIN_WORD = lazy(r"[a-z0-9]{2,12}")
_GENERIC = frozenset(
    stem(word)
    for word in (
        "approach way design solution idea plan step choice decision option thing code file test implementation method "
        "pattern style structure case detail path point bit whole actually reconsider rethink revisit evaluate second "
        "thought wait maybe perhaps better best worse simply also either decide decided choose pick stick prefer "
        "existing tool command edit grep sed bash read against"
    ).split()
)


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """`subject` is stemmed and sorted. `reason`: the sentence says what the agent learned since."""

    step: Step
    subject: tuple[str, ...]
    choice: str
    sentence: str
    reason: bool = False


def decisions_of(text: str) -> tuple[Decision, ...]:
    """The decisions of a PLAN text and what it takes up again, in order; at most one a sentence."""
    found: list[Decision] = []
    said = [it for it in told(text) if len(it[0]) <= _LONGEST]
    for at, (sentence, words) in enumerate(said):
        if _MAY_DECIDE.search(words):
            around = " ".join(plain_words for _, plain_words in said[max(0, at - 1) : at + 2])
            found.extend(_of_sentence(sentence, words, around))
    return tuple(found)


def _of_sentence(sentence: str, words: str, around: str) -> Iterator[Decision]:
    names = frozenset(name.lower() for name in _ACRONYM.findall(sentence))
    if _REOPENS.search(words) or _ASKS.search(words):
        if subject := subject_of(words, names):
            learned = bool(_LEARNED.search(around))
            yield Decision(step="reopened", subject=subject, choice="", sentence=sentence, reason=learned)
        return
    match = _CHOOSES.search(words) or _weighed(_USES.search(words))
    if match is None or words.endswith("?"):
        return
    rest = _BECAUSE.split(match["rest"], maxsplit=1)[0]
    choice = _PURPOSE.split(_CONTRAST.split(rest, maxsplit=1)[0], maxsplit=1)[0]
    subject = subject_of(rest, names)
    if subject and subject_of(choice, names):
        yield Decision(step="decided", subject=subject, choice=choice.strip(" ,"), sentence=sentence)


def _weighed(match: re.Match[str] | None) -> re.Match[str] | None:
    """`I'll use X` decides something where it names the other option or what X is for."""
    if match is None:
        return None
    return match if _CONTRAST.search(match["rest"]) or _PURPOSE.search(match["rest"]) else None


def subject_of(text: str, names: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The words a question is about, without those about deciding. `names` are words that count in any case."""
    named = (word for word in _PLAIN_WORD.findall(text) if word in names) if names else ()
    found = dict.fromkeys((*named, *(word for word in content_words(text) if word not in _GENERIC)))
    return tuple(sorted(list(found)[:_MOST_WORDS]))


def same_subject(one: tuple[str, ...], other: tuple[str, ...], choice: str = "") -> bool:
    """Whether two subjects are one question. One shared word is enough only where it is all of the shorter, and chosen.

    `choice` is what was decided on `other`.
    """
    shared = set(one) & set(other)
    if len(shared) >= 2:
        return shared_words(" ".join(one), " ".join(other)) >= 85
    chosen = {form for word in choice.lower().split() for form in (word, stem(word))}
    return len(shared) == 1 and len(one) <= 2 and bool(shared & chosen)


# How much of a plan says again what was said before: by sentences, whose words may come in another order.
#
# Sequences of words do not serve: an evident repetition in other words has too few of them in common.


SAME = 85
"""From 0 to 100: how alike the words of two sentences are to be one."""
_FEWEST_WORDS = 5
"""A shorter sentence is part of many others."""
_SHARED = 0.6


def repeated_share(said: Iterable[Entry], before: Iterable[Entry]) -> tuple[float, tuple[Entry, ...]]:
    """The share of characters in sentences that were said before, and where they were."""
    older = [(entry, frozenset(entry.key.split())) for entry in before]
    older = [(entry, words) for entry, words in older if len(words) >= _FEWEST_WORDS]
    total = repeated = 0
    sources: list[Entry] = []
    for sentence in said:
        total += len(sentence.text)
        words = frozenset(sentence.key.split())
        if len(words) < _FEWEST_WORDS:
            continue
        likely = (it for it, known in older if len(words & known) >= _SHARED * max(len(words), len(known)))
        source = next((it for it in likely if shared_words(sentence.key, it.key) >= SAME), None)
        if source is not None:
            repeated += len(sentence.text)
            sources.append(source)
    return (repeated / total if total else 0.0), tuple(sources)
