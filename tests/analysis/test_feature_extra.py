"""What is extra among the features of a session."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.analysis.feature import Extras, FeatureUnit
from leeboard.model.event import Event
from leeboard.model.ledger import Entry, Kind
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World

TURN = 6


class Rows:
    """A registry over a list, newest first, that counts how often it is asked."""

    def __init__(self, *entries: Entry) -> None:
        self._entries = entries[::-1]
        self.asked = 0

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        self.asked += 1
        wanted = tuple(keys)
        return tuple(entry for entry in self._entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        self.asked += 1
        return tuple(entry for entry in self._entries if entry.kind == kind)[:limit]


def world(goal: str = "add --json to the totals") -> World:
    return World(
        session=Session(id="s", goals=(Goal(text=goal, exchange=1),)),
        agent=AgentState(turn=TURN),
        analysis=Analysis(event=Event(session="s")),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )


def written(name: str, *, turn: int = TURN, kind: str = "flag", amount: int = 0) -> Entry:
    return Entry(kind="feature", key=f"{kind}:{name}", text=name, data=kind, turn=turn, amount=amount)


def said(text: str, *, turn: int = TURN, flag: str = "RF-D2", agent: str = "") -> Entry:
    return Entry(kind="flag", key=flag, text=text, turn=turn, agent=agent)


@pytest.mark.parametrize(
    ("flag", "kind", "found"),
    [
        (said("I'll also add a region flag"), "flag", True),
        (said("I'll also add a region flag", turn=TURN - 1), "flag", True),
        (said("I'll also add a region flag", turn=TURN - 2), "flag", False),
        (said("I'll also add a region flag", agent="a1"), "flag", False),
        (said("I'll also add a region flag", flag="RF-A1"), "flag", False),
        (said("I'll also add a column"), "flag", False),
        (said("I'll also read the region"), "setting", False),
        (said("let me make the region configurable", flag="RF-D3"), "setting", True),
    ],
)
def test_announced(flag: Entry, kind: str, found: bool) -> None:  # noqa: FBT001 - a column of the table
    unit = FeatureUnit(kind="setting" if kind == "setting" else "flag", name="region")
    assert (Extras(world(), Rows(flag)).said_of(unit) is not None) is found


@pytest.mark.parametrize(
    ("rows", "kind", "found"),
    [
        ((written("json"),), "flag", True),
        ((written("format"),), "flag", False),
        ((written("json", kind="command"),), "command", False),
        ((written("json"),), "route", False),
        ((), "flag", False),
    ],
)
def test_enumerated(rows: tuple[Entry, ...], kind: str, found: bool) -> None:  # noqa: FBT001 - a column of the table
    assert Extras(world(), Rows(*rows)).was_enumerated(kind) is found


def test_others_are_counted_once_and_without_the_one_itself() -> None:
    extras = Extras(
        world(),
        Rows(
            written("json"),
            written("region"),
            written("region", turn=TURN - 1),
            written("whole", amount=1),
            written("later", turn=TURN + 1),
            written("color"),
        ),
    )
    number, first = extras.besides(FeatureUnit(kind="flag", name="color"))
    assert (number, [entry.text for entry in first]) == (1, ["region"])
    assert extras.besides(FeatureUnit(kind="flag", name="watch"))[0] == 2


def test_the_registry_is_asked_once_however_many_features_there_are() -> None:
    def asked(count: int) -> int:
        rows = Rows(written("json"), said("I'll also add a region flag"), *map(written, ("aaaa", "bbbb")))
        extras = Extras(world(), rows)
        for at in range(count):
            unit = FeatureUnit(kind="flag", name=f"part{at}")
            extras.said_of(unit)
            extras.was_enumerated(unit.kind)
            extras.besides(unit)
        return rows.asked

    assert asked(300) == asked(1) == 3
