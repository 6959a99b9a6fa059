"""Questions about what lies between two turns of one agent."""

from __future__ import annotations

from collections.abc import Iterable

from leeboard.analysis.timeline import asked_in, failed_between, flagged, learned, marked, names
from leeboard.model.ledger import Entry, Kind


class Rows:
    """A registry of these entries, oldest first."""

    def __init__(self, *entries: Entry) -> None:
        self.entries = entries[::-1]

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = set(keys)
        return tuple(entry for entry in self.entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)[:limit]


def mark(key: str, turn: int, agent: str = "") -> Entry:
    return Entry(kind="research", key=key, turn=turn, agent=agent)


def test_when_the_user_spoke() -> None:
    rows = Rows(mark("asked", 0), mark("asked", 4), mark("asked", 9, "sub"))
    assert asked_in(rows, "") == 4
    assert asked_in(rows, "sub") == 9
    assert asked_in(Rows(), "") == 0


def test_marks_between_two_turns() -> None:
    rows = Rows(mark("ran", 3), mark("forgot", 5, "sub"))
    assert marked(rows, "", ("ran",), 3, 3)
    assert not marked(rows, "", ("ran",), 4, 9)
    assert not marked(rows, "", ("forgot",), 0, 9)


def test_failures_and_what_they_name() -> None:
    failure = Entry(kind="error", key="x", turn=4, path="src/b.py", text="E in src/a.py:3")
    rows = Rows(failure)
    assert failed_between(rows, "", 4, 4) == (failure,)
    assert failed_between(rows, "", 5, 9) == ()
    assert failed_between(rows, "sub", 0, 9) == ()
    assert names(failure, "src/a.py")
    assert names(failure, "src/b.py")
    assert not names(failure, "src/c.py")
    assert not names(failure, "")


def test_flags() -> None:
    flag = Entry(kind="flag", key="RF-D1", turn=4, text="while I'm here")
    assert flagged(Rows(flag), "", ("RF-D1", "RF-D2"), 3, 4) == (flag,)
    assert flagged(Rows(flag), "", ("RF-D2",), 3, 4) == ()


def test_what_was_learned() -> None:
    words = frozenset({"graphql", "rest"})
    read = Entry(kind="read", key="docs/graphql.md", turn=4)
    assert learned(Rows(read), "", words, 3, 5)
    assert not learned(Rows(read), "", words, 5, 6)
    assert not learned(Rows(read), "", frozenset({"redis"}), 3, 5)
    assert not learned(Rows(read), "sub", words, 3, 5)
    assert learned(Rows(mark("asked", 5)), "", words, 3, 5)
    assert learned(Rows(Entry(kind="error", key="x", turn=4)), "", words, 3, 5)
    assert not learned(Rows(Entry(kind="error", key="x", turn=5)), "", words, 3, 5)
