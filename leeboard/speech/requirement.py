"""What the user asked for, as words a feature can be held against."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from leeboard.model.text import lazy
from leeboard.model.world import World
from leeboard.text.likeness import shared_words
from leeboard.text.names import split_words
from leeboard.text.words import stem

_ALIKE = 60
"""From 0 to 100: how alike a feature's name and a requirement are to be one."""
_PREFIX = 4
"""Letters two words begin with that are of one family: page, paging; auth, authorize."""


def is_asked(world: World, words: tuple[str, ...]) -> bool:
    """Whether a feature with these stemmed words is part of what the user wants: one word in common is enough."""
    if not words:
        return True
    goals = tuple(goal.text for goal in world.session.goals)
    wanted = _wanted(goals, world.contract.keywords)
    if any(word in wanted or not wanted.isdisjoint(_companions(word)) for word in words):
        return True
    families = _families(wanted)
    if any(word[:_PREFIX] in families for word in words if len(word) >= _PREFIX):
        return True
    return any(_is_alike(words, goal) for goal in _asked_in_words(goals))


class _Asked(msgspec.Struct, frozen=True):
    """A goal in lower case, its distinct words, and how long they are side by side."""

    text: str
    words: frozenset[str]
    room: int


@lru_cache(maxsize=32)
def _asked_in_words(goals: tuple[str, ...]) -> tuple[_Asked, ...]:
    """Split once: thousands of features may be held against them."""
    texts = [(goal.lower(), frozenset(goal.lower().split())) for goal in goals]
    return tuple(_Asked(text, words, sum(map(len, words)) + len(words) - 1) for text, words in texts)


def _is_alike(words: tuple[str, ...], goal: _Asked) -> bool:
    """Two texts without a common word are alike only where they are about as long."""
    name = " ".join(words)
    near = 200 * min(len(name), goal.room) >= _ALIKE * (len(name) + goal.room)
    if not near and goal.words.isdisjoint(words):
        return False
    return shared_words(name, goal.text) >= _ALIKE


def is_open_ended(world: World) -> bool:
    """Whether the user left open what belongs to it, keeps the list elsewhere, or writes in another language."""
    return _leaves_open(tuple(goal.text for goal in world.session.goals))


@lru_cache(maxsize=64)
def _leaves_open(goals: tuple[str, ...]) -> bool:
    """Asked for every message and every result of a session, whose goals change with a prompt."""
    texts = [text.lower().replace("’", "'") for text in goals]
    return any(_OPEN.search(text) for text in texts) or not any(_ENGLISH.search(text) for text in texts)


def is_literal(world: World, name: str) -> bool:
    """Whether the user wrote this very name, by itself: `--json`, `/users`, and not as a part of a path."""
    alone = re.compile(rf"(?<![\w./\-]){re.escape(name)}(?![\w/\-]|\.\w)", re.IGNORECASE) if name else None
    return alone is not None and any(alone.search(goal.text) for goal in world.session.goals)


_THINGS = "features?|options?|flags?|endpoints?|routes?|commands?|settings?|formats?|filters?|pages?|buttons?"
_OPEN = lazy(
    r"\bwhile you(?:'re| are) (?:at it|there)|\b(?:whatever|anything|everything) else\b|\bfeel free\b|"
    r"\bas you see fit\b|\bup to you\b|\bbe creative\b|\bsurprise me\b|\byou decide\b|\byour (?:choice|call)\b|"
    r"\betc\b|\band so on\b|\bnice to have\b|"
    rf"\b(?:more|extra|other|additional|useful|common|all(?: the)?) (?:{_THINGS})\b|"
    r"\b(?:features|options|flags|endpoints|routes|commands|settings|formats|filters|pages|buttons|improvements)\b|"
    r"\b(?:crud|comprehensive|full-?featured|production[- ]ready|complete (?:app|api|solution)|polish|improve)\b|"
    r"\b(?:(?:the|my|our|your|this) plan|spec|specs|specification|prd|rfc|design doc|ticket|mock-?ups?|figma|"
    r"requirements|todo|roadmap|(?:issue|phase|step|stage|milestone) #?\d)\b|\.(?:md|txt|pdf|docx?)\b|https?://"
)
_ENGLISH = lazy(r"\b(?:the|to|add|fix|make|and|with|when|should|from|this|that)\b")
_COMPANIONS = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "login logout signin signout signup register auth authentication session password user account profile",
        "create new add delete remove update edit list get show read write save load destroy index crud manage",
        "start stop restart pause resume status cancel run",
        "enable disable toggle on off",
        "subscribe unsubscribe follow unfollow",
        "upload download import export file",
        "open close show hide expand collapse modal dialog menu popup",
        "next prev previous page limit offset cursor pagination paginate per skip size count",
        "up down upgrade downgrade migrate rollback",
        "lock unlock block unblock ban",
        "like unlike vote favorite bookmark",
        "json yaml csv xml",
        "sort order filter search query find by asc desc",
        "retry timeout backoff attempts interval delay",
        "verbose quiet debug log level help version",
        "email mail smtp send notify notification message",
        "pay payment checkout charge invoice billing stripe webhook",
        "submit cancel confirm ok reset form back",
    )
)
"""Words that come together: who asks for one expects the others."""


@lru_cache(maxsize=1_024)
def _companions(word: str) -> frozenset[str]:
    return frozenset().union(*(group for group in _COMPANIONS if word in group))


@lru_cache(maxsize=32)
def _wanted(goals: tuple[str, ...], keywords: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for text in (*goals, *keywords) for word in split_words(text))


@lru_cache(maxsize=32)
def _families(wanted: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:_PREFIX] for word in wanted if len(word) >= _PREFIX)
