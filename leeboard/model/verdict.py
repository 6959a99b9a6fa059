"""What we conclude: findings, the one answer to a call, and the words that wait to be said."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Literal

import msgspec

from leeboard.data import load

Level = Literal["none", "nudge", "correct", "intervene", "halt"]
DriftType = Literal["none", "minor", "major", "critical"]
Confidence = Literal["low", "high"]

MomentKind = Literal[
    "none",
    "start",
    "prompt",
    "before_call",
    "after_call",
    "call_failed",
    "call_denied",
    "batch_end",
    "stop",
    "agent_start",
    "agent_stop",
    "todos",
    "compaction",
    "settings_change",
    "end",
]
"""The occasions at which any client can be answered, whatever it calls them; none: nobody is there to be answered."""

Severity = Literal["info", "warn", "error"]
"""How a drift report calls what a finding takes from the score."""

TOLD, WARNED, FAILED = 0, -4, -6
"""What findings about a work tree take: worth knowing, a drift, more than may be left so."""

LEVELS: tuple[Level, ...] = ("none", "nudge", "correct", "intervene", "halt")


def type_of(score: int) -> DriftType:
    """The seed's names: none 8-10, minor 5-7, major 3-4, critical 1-2."""
    if score >= 8:
        return "none"
    if score >= 5:
        return "minor"
    return "major" if score >= 3 else "critical"


class Action(IntEnum):
    """The answers there are, mildest first; the worst wins."""

    ALLOW = 0
    LOG = 1
    QUEUE = 2
    INJECT = 3
    ASK = 4
    DENY = 5


class Evidence(msgspec.Struct, frozen=True):
    """One reason for a finding, with what it takes from the score (zero when it is only worth knowing)."""

    text: str
    delta: int = 0
    about: str = ""
    """The path of an earlier action that it shows in another light, to be named with the finding."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing a rule saw. Its texts are redacted. Two findings with one fingerprint are the same thing."""

    rule: str
    subject: str
    """What it is about: a path, a command, a constraint. Never a secret."""
    evidence: tuple[Evidence, ...]
    cap: int = 10
    """The score can not be above this while the finding stands."""
    confidence: float = 1.0
    remedy: str = ""
    """The step that would put it right, for the recovery plan."""
    path: str = ""
    """The file it lies in, where the subject says more than that."""
    line: int = 0
    message: str = ""
    """What is said of it, in under 40 words, where it has a signal."""
    signal: Signal | None = None
    """Set by the rules of the classes A to D: they are weighed by urgency, not by the score."""

    @property
    def fingerprint(self) -> str:
        return f"{self.rule}:{self.subject}"

    @property
    def delta(self) -> int:
        return sum(item.delta for item in self.evidence)

    @property
    def severity(self) -> Severity:
        if not self.delta:
            return "info"
        return "error" if self.delta <= FAILED else "warn"


FindingState = Literal["open", "suppressed", "allowed", "baseline", "absent"]
"""What people have decided about a finding: nothing; a comment beside it; an allowance; it is in the baseline, or
was there and is gone."""


class PlacedFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as those are told of it who look at files and not at a session."""

    rule: str
    subclass: str
    path: str
    line: int
    confidence: float
    disposition: Disposition
    message: str
    note: str = ""
    """Why it is only logged; of what is queued, the doubt for which it is not refused."""
    fingerprint: str
    """As sessions on this machine know it."""
    name: str = ""
    """Its path from the top of its work tree."""
    what: str = ""
    """What its rule says of it without path and line, the same on every machine; empty: the fingerprint is that."""
    steps: tuple[int, ...] = ()
    """Lines that a value takes on its way there."""
    text: str = ""
    """The line it stands on, for who asks whether it only moved; never shown."""
    at_rest: str = ""
    """Why it is less than it would be in a change where its line was committed before."""
    rests_at: Literal["QUEUE", "LOG"] = "QUEUE"
    """What it is at most where its line was committed before and `at_rest` says why."""
    marked: str = ""
    """Which comment for another tool lets it stand, where that counts."""
    same_as: str = ""
    """Where the same value is told with all its places, as path and line; empty for what is told here."""
    also: tuple[str, ...] = ()
    """The other places of the same value, where they are told."""
    state: FindingState = "open"
    reason: str = ""
    """Why it may stand, where somebody decided so."""


class Assessment(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one action, 10 = aligned, 1 = complete tangent, and all that led to it."""

    score: int
    type: DriftType
    level: Level
    confidence: Confidence
    findings: tuple[Finding, ...] = ()
    diagnostic: str = ""
    recovery: tuple[str, ...] = ()


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """What can be answered now."""

    kind: MomentKind = "none"
    actions: tuple[Action, ...] = ()
    room: int = 9_000
    """Characters of words that arrive whole."""
    pause: bool = False
    """A natural pause: the agent is between two steps, not inside one."""
    overheard: bool = False
    """Who asks only looks on: what is to be said is for the one who asks next."""


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """Words for one agent about findings. Made once, offered once."""

    id: str
    agent: str
    turn: int
    level: Level
    score: int
    text: str
    rules: tuple[str, ...]
    paths: tuple[str, ...]
    tool_use_id: str = ""
    confidence: Confidence = "high"


PAUSED = "the guard was paused"
"""Begins the line in a trace that says why nothing came of what was found."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The one answer to a call, with the trace of what made it."""

    id: str
    session: str
    agent: str
    turn: int
    action: Action
    event: str
    """Kind of event that was answered."""
    tool_use_id: str = ""
    score: int = 0
    """1-10; 0 where nothing was scored."""
    level: Level = "none"
    confidence: Confidence = "high"
    rules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    message: str = ""
    """The words for the agent; empty when nothing is said."""
    briefing: str = ""
    """What the agent must know though nothing is wrong."""
    trace: tuple[str, ...] = ()

    @property
    def in_pause(self) -> bool:
        """A person had paused the guard: it was let pass unsaid and unscored."""
        return any(line.startswith(PAUSED) for line in self.trace)


# How much one finding that carries a signal weighs: what its urgency is computed from.
#
# URGENCY = rework cost x probability that the agent does not correct itself. Everything else here bends that product:
# a floor, a ceiling, a rule's own word that it fires.


Stage = Literal["PLAN", "DIFF", "SETTLED"]
"""How far the agent has gone: it speaks of it, has written it, has built on it."""
Disposition = Literal["FIRE", "QUEUE", "LOG"]

LOW, MED, HIGH = 0.2, 0.5, 0.8
"""The seed's labels for the probability that the agent does not correct itself."""


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    subclass: str
    """The letter of a class and a number, such as B1."""
    rework_cost: int
    """1 cosmetic, 2 one function or file, 3 several files, 4 architectural change, 5 start again."""
    self_correct_prob: float
    """Probability that the agent does NOT correct itself, before commitment raises it."""
    stage: Stage = "DIFF"
    floor: float = 0.0
    """The urgency is at least this."""
    log_only: str = ""
    """Why it is at most logged: `placeholder`, `test fixture`, `user-directed: not signaled`. Beats the floor."""
    doubt: str = ""
    """Why it is queued and not refused, though it would be without that."""
    at_rest: str = ""
    """Why it is less where it was committed before than where it is being written; empty: nothing is taken from it."""
    rests_at: Literal["QUEUE", "LOG"] = "QUEUE"
    """What it is at most where it was committed before, if `at_rest` says why: worth a look, or a line in the log."""
    marked: str = ""
    """Which comment for another tool lets it stand, once a person has reviewed that or it was committed before."""
    fires: bool = False
    """It fires though the product does not reach the threshold; window, cooldown and budget hold."""
    symbol: str = ""
    """The name others would call or import: who does, builds on it."""
    steps: tuple[int, ...] = ()
    """Lines that a value takes on its way there, in order, where it takes one."""
    patience: int = 0
    """Turns it waits beyond the usual one, in which the agent may finish what it has begun: a move, for one. Minus one:
    it is said at the end of its own turn, since there is nothing to be finished."""
    passing: bool = False
    """It is said in the turn it was found in, or not at all."""
    for_user: bool = False
    """It waits until the user speaks: the agent was told the like of it and went on."""
    tells: tuple[str, ...] = ()
    """Fingerprints of findings that its message tells as well: they wait no longer once it is said."""


# What is known of the classes of signals and of their subclasses: one table, which a new class need not stand in.


class SignalClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for all subclasses of one letter."""

    title: str = ""
    grows: bool = False
    """It gets more urgent the further the agent has gone with it."""
    has_grace: bool = False
    """In the first turns of a session it is only logged."""
    speaks_at_stop: bool = False
    """It is said to an agent that is about to end; others wait for a pause."""
    outlasts_cooldown: bool = False
    """Where the agent ends or the user speaks it is said however near the last interrupt is."""
    tag: str = "security"
    """What code hosts file it under."""


class SignalSubclass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for a letter with its number."""

    escalates: bool = False
    """What is certain is refused before it is written, whatever window, cooldown and budget say."""
    passes_by_value: bool = False
    """It is let pass by its digest, for that one value in that one file, and never by the place it stands in."""
    repeats_by_line: bool = False
    """A line that was copied into several files is told once, with the others."""
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
