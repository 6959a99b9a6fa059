"""What an agent says it will do that goes against the habits of its work tree.

Told by names alone, so it is never sure: "use sqlite3 directly" where a module wraps it, "a new payment service" where
there is one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from leeboard.code._sentence import sentences
from leeboard.code.contradiction import BYPASS, Contradiction
from leeboard.code.language import is_test_path
from leeboard.code.phrase import plain, spoken
from leeboard.code.words import split_name, stem
from leeboard.model.pattern import lazy
from leeboard.model.symbol import Habit, Symbol

LAYER = "new layer"
CONFIDENCE = 0.6
"""Names are no proof."""
MOST_TEXT = 24_000

_INTENT = r"\bi (?:will|should|can|could|need to|plan to|want to|would)\b[^.!?;]{0,80}?"
_DIRECTLY = lazy(
    _INTENT + r"\b(?:use|call|import|go (?:straight )?to|open|query|talk to) (?:the |a |raw )?([\w.@/\-]{2,60})"
    r"(?: \w{1,20}){0,3} (?:directly|straight|myself)\b"
)
_NEW = lazy(
    _INTENT
    + r"\b(?:create|add|introduce|build|write|make|set up) (?:an? )?(?:brand[ -])?(?:new|separate|own|dedicated) "
    r"((?:[\w\-]{2,40} ){0,3}?)(service|layer|module|abstraction)\b"
)
_NOT = lazy(r"\b(?:not|never|without|instead of|rather than|no need)\b")
_ROLE_LESS = frozenset(
    "new separate own dedicated simple small thin proper generic shared common python typescript".split()
)
_VAGUE = frozenset({"layer", "module", "abstraction"})
_FEWEST_LETTERS = 3


def planned(
    text: str, habits: Iterable[Habit], named: Callable[[Iterable[str]], tuple[Symbol, ...]]
) -> Iterator[Contradiction]:
    """What the sentences of a PLAN text announce; `named` looks symbols up by stemmed words."""
    said = plain(spoken(text[:MOST_TEXT]))
    if " directly" not in said and " new " not in said and "separate " not in said and "own " not in said:
        return
    known = tuple(habits)
    for _at, sentence in sentences(said):
        yield from _directly(sentence, known)
        yield from _anew(sentence, named)


def _directly(sentence: str, habits: tuple[Habit, ...]) -> Iterator[Contradiction]:
    match = _DIRECTLY.search(sentence)
    if match is None or _NOT.search(match.group()):
        return
    said = match[1].strip(".-/").lower()
    for habit in habits:
        if habit.role.startswith("wrapper of ") and habit.others[0].lower() == said:
            yield Contradiction(
                kind=BYPASS,
                subject=habit.others[0],
                usual=habit.where,
                rework=4,
                reason=f"the plan is to use {habit.others[0]} directly, while {habit.support} of {habit.users} files "
                f"go through {habit.where}.",
                remedy=f"use {habit.where} instead of {habit.others[0]} itself",
                confidence=CONFIDENCE,
            )


def _anew(sentence: str, named: Callable[[Iterable[str]], tuple[Symbol, ...]]) -> Iterator[Contradiction]:
    match = _NEW.search(sentence)
    if match is None or _NOT.search(match.group()):
        return
    noun = match[2]
    words = [
        word for word in match[1].replace("-", " ").split() if word not in _ROLE_LESS and len(word) >= _FEWEST_LETTERS
    ]
    if not words:
        return
    wanted = {stem(word) for word in words}
    there = _existing(wanted, noun, named(sorted(wanted)))
    if there is not None:
        what = f"{' '.join(words)} {noun}"
        yield Contradiction(
            kind=LAYER,
            subject=what,
            usual=there.path,
            rework=3,
            reason=f"the plan is a new {what}, while {there.name} in {there.path} is one already.",
            remedy=f"wire it to {there.name} in {there.path}",
            line=there.line,
            confidence=CONFIDENCE,
        )


def _existing(wanted: set[str], noun: str, symbols: tuple[Symbol, ...]) -> Symbol | None:
    """A class or file that is called exactly so: `PaymentService`, `payment_service.py`; for a layer `payment.py`."""
    role = stem(noun)
    for symbol in symbols:
        if symbol.kind not in {"class", "file"} or is_test_path(symbol.path):
            continue
        name = posixpath.basename(symbol.name).partition(".")[0]
        words = {stem(word) for word in split_name(name)}
        in_folder = role in {stem(word) for word in split_name(posixpath.basename(posixpath.dirname(symbol.path)))}
        if words == wanted | {role} or (words == wanted and (in_folder or (noun in _VAGUE and symbol.kind == "file"))):
            return symbol
    return None
