"""What was said over many sessions in figures: by rule, in how many sessions, and how often it was right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt

import msgspec

from leeboard.app.backtest.heard import Heard, Remark
from leeboard.app.backtest.opinions import Labels, Opinion
from leeboard.model.verdict import Action

OpinionOf = Callable[[Remark, str], Opinion | None]
"""What is thought of a message, as far as it is one of this rule."""
_Z = 1.96


class RuleTally(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule said; a message of two rules counts for both."""

    rule: str
    said: int
    refused: int
    asked: int
    sessions: int
    yes: int = 0
    no: int = 0
    unsure: int = 0

    @property
    def precision(self) -> float | None:
        """The share that was right of what was right or wrong; None where nobody said."""
        decided = self.yes + self.no
        return self.yes / decided if decided else None

    @property
    def between(self) -> tuple[float, float] | None:
        """Where the share lies in 95 of 100 such samples (Wilson): few opinions prove little."""
        decided, share = self.yes + self.no, self.precision
        if share is None:
            return None
        middle = share + _Z * _Z / (2 * decided)
        half = _Z * sqrt(share * (1 - share) / decided + _Z * _Z / (4 * decided * decided))
        whole = 1 + _Z * _Z / decided
        return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a run over all its sessions."""

    sessions: int
    spoken_to: int
    """Sessions in which anything was said."""
    turns: int
    scored: int
    all: RuleTally
    """Every message once; of its rules' opinions the worst counts."""
    rules: tuple[RuleTally, ...]
    """Those that said something, the most talkative first."""
    judged_by: tuple[tuple[str, int], ...]
    """Which settings counted, in how many sessions."""

    @property
    def share_spoken_to(self) -> float:
        return self.spoken_to / self.sessions if self.sessions else 0.0


def tally_of(heard: Sequence[Heard], opinion_of: OpinionOf) -> Tally:
    remarks = [remark for one in heard for remark in one.remarks]
    by_rule: dict[str, list[Remark]] = {}
    for remark in remarks:
        for rule in remark.rules:
            by_rule.setdefault(rule, []).append(remark)
    tallies = [
        _tally(rule, theirs, [opinion_of(remark, rule) for remark in theirs]) for rule, theirs in by_rule.items()
    ]
    settings = Counter(one.judged_by for one in heard)
    return Tally(
        sessions=len(heard),
        spoken_to=sum(1 for one in heard if one.remarks),
        turns=sum(one.turns for one in heard),
        scored=sum(one.scored for one in heard),
        all=_tally("", remarks, [worst_opinion(remark, opinion_of) for remark in remarks]),
        rules=tuple(sorted(tallies, key=lambda tally: (-tally.said, tally.rule))),
        judged_by=tuple(settings.most_common()),
    )


def worst_opinion(remark: Remark, opinion_of: OpinionOf) -> Opinion | None:
    """What is thought of the message as a whole."""
    found = [opinion_of(remark, rule) for rule in remark.rules]
    worst: tuple[Opinion, ...] = ("no", "unsure", "yes")
    return next((opinion for opinion in worst if opinion in found), None)


def own_opinions(opinions: Mapping[str, Opinion]) -> OpinionOf:
    """A person's, which are about a message whichever of its rules is asked for."""
    return lambda remark, _rule: opinions.get(remark.id)


def labelled(labels: Labels) -> OpinionOf:
    return labels.opinion


def _tally(rule: str, remarks: Sequence[Remark], thought: Sequence[Opinion | None]) -> RuleTally:
    opinions = Counter(thought)
    actions = Counter(remark.action for remark in remarks)
    return RuleTally(
        rule=rule,
        said=len(remarks),
        refused=actions[Action.DENY.name],
        asked=actions[Action.ASK.name],
        sessions=len({(remark.session, remark.file) for remark in remarks}),
        yes=opinions["yes"],
        no=opinions["no"],
        unsure=opinions["unsure"],
    )
