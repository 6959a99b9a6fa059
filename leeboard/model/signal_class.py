"""What is known of the classes of signals and of their subclasses: one table, which a new class need not stand in."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load


class SignalClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for all subclasses of one letter."""

    title: str = ""
    grows: bool = False
    """It gets more urgent the further the agent has gone with it."""
    has_grace: bool = False
    """In the first turns of a session it is only logged."""
    speaks_at_stop: bool = False
    """It is said to an agent that is about to end; others wait for a pause."""
    tag: str = "security"
    """What code hosts file it under."""


class SignalSubclass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for a letter with its number."""

    escalates: bool = False
    """What is certain is refused before it is written, whatever window, cooldown and budget say."""
    passes_by_value: bool = False
    """It is let pass by its digest, for that one value in that one file, and never by the place it stands in."""
    lies_in_file: bool = False
    """It is about something that can be taken out of a file again."""
    scan: Literal["", "text", "copies"] = ""
    """How its rules look at files that are there: a text by itself, or beside the index of its work tree."""
    advice: str = ""
    """What the report recommends it as."""
    harm: tuple[str, str] | None = None
    """How the report counts it among the regressions: one, several."""


class SignalClasses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    classes: dict[str, SignalClass]
    subclasses: dict[str, SignalSubclass]


_NEW_CLASS, _NEW_SUBCLASS = SignalClass(), SignalSubclass()


@lru_cache(maxsize=1)
def signal_classes() -> SignalClasses:
    return load("judge/classes", SignalClasses)


def letter_of(subclass: str) -> str:
    """The class as it is named: `B` for `B1`."""
    return subclass[:1]


def class_of(subclass: str) -> SignalClass:
    return signal_classes().classes.get(letter_of(subclass), _NEW_CLASS)


def subclass_of(subclass: str) -> SignalSubclass:
    return signal_classes().subclasses.get(subclass, _NEW_SUBCLASS)
