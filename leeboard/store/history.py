"""What a step counts for, and which past steps are told again: the same for every store.

A step scored below 5 is not validated: it is kept, but never found again, so that nobody learns from it. A key
decision is what the step says is one, or an edit or write scored 9 or more that is the first validated modification
of one of its files in the session. Key decisions are found whatever their score.

Past steps are looked up four ways (key decisions, files, folders, keywords), five of each and newest first, those of
the asking session before those of its project; told apart by id, the first ten are used. A question that somebody asks
is answered in the same order, of what it names alone; what is found by its words stands between folders and keywords.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from leeboard.model.outcome import Step

VALID_FROM = 5
DECISIVE_FROM = 9
PER_QUERY = 5
TOP = 10
TERMS = 32
"""At most so many files, folders or keywords are looked up at once."""
Place = TypeVar("Place", bound=Hashable)


def modifies(step: Step) -> bool:
    return step.action_type in {"edit", "write"}


def may_decide(step: Step) -> bool:
    """True for a step that is a key decision if it is the first to modify a file."""
    return not step.is_key_decision and step.drift_score >= DECISIVE_FROM and modifies(step)


def judged(step: Step, *, first: bool) -> Step:
    """`first`: it may decide, and no validated step of the session modified one of its files before."""
    validated = step.is_validated and step.drift_score >= VALID_FROM
    decisive = step.is_key_decision or first
    if validated == step.is_validated and decisive == step.is_key_decision:
        return step
    return replace(step, is_validated=validated, is_key_decision=decisive)


def distinct(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms))[:TERMS]


def newest(own: Iterable[int], others: Iterable[int]) -> list[int]:
    """The answer to one of the four questions, as places in the order of commits."""
    ordered = (*sorted(set(own), reverse=True), *sorted(set(others), reverse=True))
    return list(dict.fromkeys(ordered))[:PER_QUERY]


def top(*answers: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(place for answer in answers for place in answer))[:TOP]


def about(answers: Sequence[Sequence[Place]], decisive: Container[Place]) -> list[Place]:
    """What answers a question: of all that was found the decisions first, then one answer after the other."""
    decided = [place for answer in answers for place in answer if place in decisive]
    return top(decided[:PER_QUERY], *answers)
