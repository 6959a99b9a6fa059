"""How long an agent has been looking around, and where."""

from __future__ import annotations

import pytest

from leeboard.analysis.timeline import has_ended, lies_outside, stretch_at
from leeboard.model.contract import Contract
from leeboard.model.event import Event
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Around, Registry, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

START = ("@ add retries to src/http/client.py", "read src/http/client.py", "edit src/http/client.py | a => b")


def rows(*lines: str) -> Registry:
    store = MemoryStore()
    play((*START, *lines), store=store, rules=())
    return Around(store, SESSION, Tree())


def test_a_stretch_ends_with_the_last_change() -> None:
    found = stretch_at(rows("read a.md", "read b.md"), "", 4, 1)
    assert (found.turns, found.start, found.built) == ((3, 4), 3, True)
    assert [look.key for look in found.looks] == ["b.md", "a.md"]


def test_calls_of_one_turn_count_once() -> None:
    assert stretch_at(rows("read a.md", "& read b.md", "& read c.md"), "", 3, 1).turns == (3,)


def test_what_comes_before_the_first_turn_does_not_count() -> None:
    assert stretch_at(rows("read a.md", "read b.md"), "", 4, 4).turns == (4,)


def test_what_it_follows() -> None:
    assert stretch_at(rows("$! pytest -> 1 failed", "read a.md"), "", 4, 1).after_failure
    assert stretch_at(rows("~ That completes the client.", "read a.md", "read b.md"), "", 4, 1).after_rest
    assert not stretch_at(rows("@ and now?", "read a.md"), "", 3, 1).built


def test_a_turn_that_does_not_look_has_no_stretch() -> None:
    assert stretch_at(rows("$ make gen"), "", 3, 1).turns == ()
    assert stretch_at(rows("read a.md"), "sub", 3, 1).turns == ()


def test_the_end() -> None:
    assert has_ended(rows("read a.md"), "", 2)
    assert not has_ended(rows("read a.md"), "", 3)


WORLD = World(
    session=Session(
        id="s",
        goals=(Goal(text="add retries to src/http/client.py as in notes.md", exchange=1, keywords=("retries",)),),
        contract=Contract(scope=("src/http/client.py",), keywords=("retries",)),
    ),
    agent=AgentState(),
    analysis=Analysis(event=Event(session="s")),
    policy=Policy(),
    workspace=Workspace("/repo"),
)


@pytest.mark.parametrize(
    ("kind", "key", "outside"),
    [
        ("read", "src/http/client.py", False),
        ("read", "src/http/pool.py", False),
        ("read", "lib/retries.py", False),
        ("read", "docs/notes.md", False),
        ("read", "docs/history.md", True),
        ("read", "web/charts/axis.ts", None),
        ("read", "web/page.html", None),
        ("read", "/usr/share/doc/x.txt", True),
        ("fetched", "https://example.org/parsers", True),
        ("fetched", "https://example.org/retries", False),
        ("fetched", "web: parser generators", True),
        ("fetched", "grep src parser", None),
    ],
)
def test_where_a_look_goes(kind: str, key: str, outside: bool | None) -> None:  # noqa: FBT001 - a column of the table
    path = key if kind == "read" else ""
    look = Entry(kind="read" if kind == "read" else "fetched", key=key, path=path, turn=5)
    assert lies_outside(look, WORLD, frozenset({"src/http"})) is outside


def test_other_code_leaves_the_work_where_the_agent_explores() -> None:
    look = Entry(kind="read", key="web/charts/axis.ts", path="web/charts/axis.ts", turn=5)
    assert lies_outside(look, WORLD, frozenset(), exploring=True)
    assert lies_outside(look, WORLD, frozenset({"web/charts"}), exploring=True) is False
