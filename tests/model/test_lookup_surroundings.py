"""What rules look things up in: the store, under what the events of this batch have added."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.replay import RecordedFiles
from leeboard.model.lookup import NO_FILES, Around, KnownFiles, Tree
from leeboard.model.workspace import Workspace
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import RecordedDisk
from tests.known_suite import KNOWN
from tests.registry_suite import READ
from tests.store_suite import a_session, keep

STORED, ADDED = replace(READ, turn=1), replace(READ, turn=7)
DISK = RecordedDisk(RecordedFiles(Workspace(KNOWN.root).spell, {}), KNOWN.root)


def store_with(**parts: object) -> MemoryStore:
    store = MemoryStore()
    keep(store, a_session("s1"), **parts)
    return store


def test_what_was_added_lies_over_what_is_stored() -> None:
    plain = Around(store_with(entries=(STORED,)), "s1", Tree())
    around = plain.remembering((ADDED, replace(ADDED, key="src/b.py"), replace(ADDED, kind="built")))
    assert around.find("read", ["src/a.py"]) == (ADDED, STORED)
    assert around.find("read", ["src/c.py"]) == ()
    assert plain.find("read", ["src/a.py"]) == (STORED,)


def test_the_newest_are_those_added_last() -> None:
    later = replace(ADDED, turn=9)
    around = Around(store_with(entries=(STORED,)), "s1", Tree()).remembering((ADDED,)).remembering((later,))
    assert around.newest("read", 1) == (later,)
    assert around.newest("read", 2) == (later, ADDED)
    assert around.newest("read", 9) == (later, ADDED, STORED)
    assert around.newest("built", 9) == ()


def test_nothing_added_is_the_same_surroundings() -> None:
    around = Around(MemoryStore(), "s1", Tree())
    assert around.remembering(()) is around


def test_another_session_remembers_nothing_of_it() -> None:
    assert Around(store_with(entries=(STORED,)), "s2", Tree()).find("read", ["src/a.py"]) == ()


def test_the_tree_is_handed_on() -> None:
    first, now = (RecordedFiles(Workspace("/repo").spell, {"a.py": text}) for text in ("old", "new"))
    around = Around(MemoryStore(), "s1", Tree(now, lambda: None, first, DISK))
    assert (around.files.text("a.py"), around.base.text("a.py")) == ("new", "old")
    assert around.knowledge.disk is DISK
    assert around.symbols is None


def test_of_a_tree_nobody_knows_nothing_is_said() -> None:
    assert (NO_FILES.text("a.py"), NO_FILES.exists("a.py"), NO_FILES.ignored("a.py")) == (None, None, None)
    assert Tree().symbols() is None


def test_knowledge_is_of_one_session_and_read_once() -> None:
    store = store_with(known=(KNOWN,))
    known = KnownFiles(store, "s1", DISK)
    assert known.known("", KNOWN.path) == KNOWN
    keep(store, a_session("s1"), known=(replace(KNOWN, digest="d2"),))
    assert known.known("", KNOWN.path) == KNOWN, "one event is judged by one state of what is known"
    assert [one.path for one in known.newest_known(9)] == [KNOWN.path]
    assert [one.session for one in known.writers(KNOWN.path, "d2")] == ["s1"]
    assert KnownFiles(store, "s2", DISK).known("", KNOWN.path) is None


def test_what_all_agents_know_is_read_once() -> None:
    rows = tuple(replace(KNOWN, agent=agent, path=f"{agent}.py") for agent in ("", "one", "two"))
    store = store_with(known=rows)
    around = Around(store, "s1", Tree(disk=DISK))
    everybody = around.knowledge.newest_known(9)
    assert {one.agent for one in everybody} == {"", "one", "two"}
    keep(store, a_session("s1"), known=tuple(replace(row, digest="d2") for row in rows))
    later = around.remembering((ADDED,)).knowledge
    assert later.newest_known(9) == everybody
    assert later.newest_known(9, "one") == tuple(one for one in everybody if one.agent == "one")
    assert [one.digest for one in later.newest_known(3, "one")] == ["d2"], "another number may leave others out"


def test_where_there_are_more_the_newest_of_one_agent_are_asked_for() -> None:
    rows = (replace(KNOWN, time=KNOWN.time + 9), replace(KNOWN, agent="one"))
    known = KnownFiles(store_with(known=rows), "s1", DISK)
    assert [one.agent for one in known.newest_known(1)] == [""]
    assert [one.agent for one in known.newest_known(1, "one")] == ["one"]


def test_without_a_disk_nothing_is_known() -> None:
    known = KnownFiles(store_with(known=(KNOWN,)), "s1", None)
    assert known.known("", KNOWN.path) is None
    assert known.newest_known(9) == ()
    assert known.writers(KNOWN.path, KNOWN.digest) == ()
