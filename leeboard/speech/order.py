"""Whether the user's own words order an action: what they ask for is never drift.

Read from the goals of the session, newest first. A verb counts in the form of an order or a wish ("rewrite", "needs to
be refactored"), not in a report ("you rewrote it"), not under a negation ("don't refactor"), not in a question about
the past ("why did you replace it?").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from leeboard.model.lookup import Registry
from leeboard.model.text import lazy
from leeboard.model.world import World
from leeboard.text.words import content_words, sentences, split_name

_NEGATOR = lazy(
    r"\b(?:do\s+not|don't|dont|does\s+not|doesn't|must\s+not|mustn't|should\s+not|shouldn't|can't|cannot|never|without|"
    r"avoid|no\s+need\s+to|instead\s+of|rather\s+than|not|no|refrain\s+from|stop)\s+"
)
_BOUNDARY = lazy(r"[;:!?.]\s|\s(?:but|instead|just|then|however|rather|only)\s")
_LISTED = lazy(r"\s*\w+(?:\s+\w+)?\s*\Z")
"""`rename` of "don't rename, refactor or move": the negation goes on behind the comma."""
_ABOUT_THE_PAST = lazy(r"\s*(?:why|what|how|when|where|who)\s+(?:did|have|has|was|were|is|are|does)\b")
_TAKES_AWAY = lazy(r"\b(?:remov|delet|drop|undo|revert|get rid of)\w{0,4}\b")
_REFERS_BACK = lazy(r"\b(?:it|this|that|them|these|those|everything|all|whole)\b")
_WISH = lazy(r"\b(?:be|get|want|need|needs|should|must|like|have)\b")
_ENDING = r"(?:e|es|ed|s|ing|ning|ting|ment|er|ten|ation|[ \-]?up)?"


def ordered(world: World, verbs: Iterable[str], subject: Iterable[str] = ()) -> bool:
    """Whether a goal orders one of these verbs on this subject: one shared content word; no subject fits any."""
    pattern = _forms(tuple(verbs))
    wanted = subject_words(subject)
    return any(_orders(text, pattern, wanted) for goal in reversed(world.session.goals) for text in readings(goal.text))


def orders(text: str, verbs: Iterable[str], subject: Iterable[str] = ()) -> bool:
    """Whether a text that is no goal orders one of these verbs on this subject."""
    pattern, wanted = _forms(tuple(verbs)), subject_words(subject)
    return any(_orders(reading, pattern, wanted) for reading in readings(text))


def asked(world: World, registry: Registry, verbs: Iterable[str], about: Iterable[str] = ()) -> bool:
    """Whether they order it in a goal, or in any other words of theirs; without things, of any."""
    verbs, about = tuple(verbs), tuple(about)
    if ordered(world, verbs, about):
        return True
    return any(orders(entry.text, verbs, about) for entry in registry.find("research", ("asked",)) if entry.text)


def readings(text: str) -> Iterator[str]:
    """The text as it stands, and what it orders in another language."""
    yield text
    from leeboard.speech.orders_abroad import orders_abroad  # noqa: PLC0415 - where it orders nothing in English

    yield from orders_abroad(text)


def subject_words(names: Iterable[str]) -> frozenset[str]:
    """The stemmed content words of names, paths and phrases."""
    return frozenset(content_words(" ".join(part for name in names for part in (name, *split_name(name)))))


def named(world: World, names: Iterable[str]) -> bool:
    """Whether a goal has one of these paths or names as it is written, and does not forbid it or want it gone."""
    wanted = [re.compile(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])") for name in names if name]
    return any(_names(goal.text.lower(), pattern) for goal in world.session.goals for pattern in wanted)


def says(world: World, phrase: str) -> bool:
    """Whether a goal has this expression in a sentence that neither rules it out nor asks about the past."""
    pattern = _compiled(phrase)
    said = (sentence for goal in world.session.goals for text in readings(goal.text) for sentence in _sentences(text))
    for sentence in said:
        match = pattern.search(sentence)
        if match and not _ABOUT_THE_PAST.match(sentence) and not _is_ruled_out(sentence, match.start()):
            return True
    return False


def _sentences(text: str) -> Iterator[str]:
    yield from (sentence for _at, sentence in sentences(text.lower().replace("’", "'")))


def _is_ruled_out(sentence: str, at: int) -> bool:
    from leeboard.speech.orders_abroad import is_ruled_out_abroad  # noqa: PLC0415 - where it would be an order else

    return _is_negated(sentence[:at]) or is_ruled_out_abroad(sentence, at)


@lru_cache(maxsize=64)
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase)


def _names(text: str, pattern: re.Pattern[str]) -> bool:
    if not pattern.search(text):
        return False
    for sentence in _sentences(text):
        match = pattern.search(sentence)
        if not match or _ABOUT_THE_PAST.match(sentence) or _TAKES_AWAY.search(sentence[: match.start()]):
            continue
        if not _is_ruled_out(sentence, match.start()):
            return True
    return False


@lru_cache(maxsize=64)
def _forms(verbs: tuple[str, ...]) -> re.Pattern[str]:
    """Each verb in its forms; a phrase of several words as it stands."""
    forms = (
        re.escape(verb).replace(r"\ ", r"[ \-]") if " " in verb else f"{re.escape(verb.removesuffix('e'))}{_ENDING}"
        for verb in verbs
    )
    return re.compile(rf"\b(?:{'|'.join(forms)})\b")


def _orders(text: str, pattern: re.Pattern[str], wanted: frozenset[str]) -> bool:
    text = " ".join(text.lower().replace("’", "'").split(" "))
    if not pattern.search(text):
        return False
    for _at, sentence in sentences(text):
        if _ABOUT_THE_PAST.match(sentence) or not any(
            _is_order(sentence, match) for match in pattern.finditer(sentence)
        ):
            continue
        spoken_of = text if _REFERS_BACK.search(sentence) else sentence
        if not wanted or wanted & subject_words(spoken_of.split()):
            return True
    return False


def _is_order(sentence: str, match: re.Match[str]) -> bool:
    before = sentence[: match.start()]
    reported = match.group().endswith("ed") and not _WISH.search(sentence[: match.end()])
    return not reported and not _is_negated(before)


def _is_negated(before: str) -> bool:
    """Whether a negation reaches to the end of this text."""
    negators = list(_NEGATOR.finditer(before[-200:]))
    if not negators:
        return False
    between = before[-200:][negators[-1].end() :]
    if _BOUNDARY.search(between):
        return False
    head, comma, _rest = between.partition(",")
    return not comma or bool(_LISTED.match(head) and head.count(" ") < 1)
