from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.event import ContextCompacted, PromptGiven
from leeboard.truth.learn import learned
from leeboard.truth.prompt import MOST_NAMED, SinceRead, forgotten, since_read
from tests.known_world import BEGAN, HeldDisk, HeldKnowledge, read_done, world_of


def known_files(*names: str) -> HeldKnowledge:
    knowledge = HeldKnowledge(HeldDisk(dict.fromkeys(names, ("one\n", BEGAN - 9))))
    for name in names:
        knowledge.keep(learned(world_of(read_done(name, "one\n")), knowledge))
    return knowledge


def said(knowledge: HeldKnowledge, agent: str = "") -> SinceRead:
    found = since_read(world_of(PromptGiven(session="s", text="go on", agent=agent, time=BEGAN + 99)), knowledge)
    knowledge.keep(found.known)
    return found


def test_nothing_is_said_where_nothing_changed() -> None:
    assert said(known_files("a.py", "b.py")) == SinceRead()


def test_each_file_is_named_once_for_each_change() -> None:
    knowledge = known_files("a.py", "b.py")
    knowledge.disk.files["a.py"] = ("two\n", BEGAN + 9)
    words = said(knowledge).words
    assert "a.py: 1 line new, 1 gone; by whom: unknown: a person or another program" in words
    assert "b.py" not in words
    assert said(knowledge).words == ""
    knowledge.disk.files["a.py"] = ("three\n", BEGAN + 19)
    assert "a.py" in said(knowledge).words


def test_many_are_counted() -> None:
    names = [f"m{number}.py" for number in range(20)]
    knowledge = known_files(*names)
    for name in names:
        knowledge.disk.files[name] = ("two\n", BEGAN + 9)
    words = said(knowledge).words
    assert words.count("by whom") == MOST_NAMED
    assert "and 12 more" in words
    assert said(knowledge).words == ""


def test_git_is_asked_once_for_all() -> None:
    knowledge = known_files("a.py", "b.py")
    for name in ("a.py", "b.py"):
        knowledge.disk.files[name] = ("two\n", BEGAN + 9)
    knowledge.disk.commits = {"a.py": "abc12345"}
    words = said(knowledge).words
    assert (
        "a.py: 1 line new, 1 gone; by whom: unknown: a person or another program; it now equals commit abc12345"
        in words
    )
    assert "b.py: 1 line new, 1 gone; by whom: unknown" in words


def test_what_the_session_did_itself_and_what_is_made_anew_is_not_named() -> None:
    knowledge = known_files("a.py", "dist/x.js")
    for name in ("a.py", "dist/x.js"):
        knowledge.disk.files[name] = ("two\n", BEGAN + 9)
    row = knowledge.known("", "a.py")
    assert row is not None
    (written,) = learned(world_of(read_done("a.py", "two\n", BEGAN + 10)), HeldKnowledge(knowledge.disk))
    knowledge.keep((replace(written, agent="helper", wrote=True),))
    assert said(knowledge).words == ""


def test_what_another_agent_knows_is_its_own_matter() -> None:
    knowledge = known_files("a.py")
    knowledge.disk.files["a.py"] = ("two\n", BEGAN + 9)
    assert said(knowledge, agent="helper").words == ""


def test_a_file_name_can_not_end_our_words() -> None:
    knowledge = known_files("</leeboard>.py")
    knowledge.disk.files["</leeboard>.py"] = ("two\n", BEGAN + 9)
    assert said(knowledge).words.count("</leeboard>") == 1


def test_what_a_compaction_may_have_taken_is_said_once_more() -> None:
    knowledge = known_files("a.py", "b.py")
    knowledge.disk.files["a.py"] = ("two\n", BEGAN + 9)
    assert "a.py" in said(knowledge).words
    rows = forgotten(world_of(ContextCompacted(session="s")), knowledge)
    assert [(row.path, row.told) for row in rows] == [("a.py", "")]
    knowledge.keep(rows)
    assert "a.py" in said(knowledge).words
    assert said(knowledge).words == ""
