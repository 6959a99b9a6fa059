from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.known import LINE_BYTES, UNRETURNED, Known
from leeboard.model.session import AgentState, OpenCall
from leeboard.model.truth import ABSENT
from leeboard.truth.change import changed_file
from leeboard.truth.learn import learned
from tests.known_world import BEGAN, KEY, ROOT, HeldDisk, HeldKnowledge, bash_done, open_bash, read_done
from tests.known_world import world_of as world

TEXT = "one\ntwo\nthree\n"


def after_read(text: str = TEXT) -> tuple[HeldKnowledge, Known]:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (text, BEGAN - 100)}))
    (row,) = learned(world(read_done("a.py", text)), knowledge)
    knowledge.keep((row,))
    return knowledge, row


def test_a_read_is_known_by_its_digests_alone() -> None:
    _, row = after_read()
    assert (row.path, row.root, row.seen, row.wrote) == ("a.py", ROOT, ((1, 3),), False)
    assert b"two" not in row.lines
    assert row.stamp


def test_without_a_key_nothing_is_kept() -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN)}))
    assert learned(replace(world(read_done("a.py", TEXT)), secret_key=b""), knowledge) == ()


@pytest.mark.parametrize("outcome", ["denied", "failed"])
def test_what_did_not_run_taught_nothing(outcome: str) -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN)}))
    assert learned(world(replace(read_done("a.py", TEXT), outcome=outcome)), knowledge) == ()


def test_searches_make_nothing_known() -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN)}))
    call = ToolCall(id="g", tool="Grep", action="read", paths=("a.py",), query="two")
    found = ToolFinished(session="s", call=call, outcome="done", output="two", cwd=ROOT)
    assert learned(world(found), knowledge) == ()


def test_a_part_that_is_read_makes_up_for_that_part_alone() -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 1)
    assert learned(world(read_done("a.py", "three", BEGAN + 2)), knowledge) == ()
    (again,) = learned(world(read_done("a.py", "ONE", BEGAN + 2)), knowledge)
    assert again.digest != row.digest
    assert again.seen == ((1, 3),)


def test_once_told_any_look_will_do() -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 1)
    (now,) = learned(world(read_done("a.py", "ONE\ntwo\nthree\n", BEGAN + 2)), knowledge)
    knowledge.keep((replace(row, told=now.digest),))
    (again,) = learned(world(read_done("a.py", "", BEGAN + 2)), knowledge)
    assert (again.digest, again.told) == (now.digest, "")


@pytest.mark.parametrize(
    ("began", "ended", "own"),
    [(BEGAN + 5, BEGAN + 7, True), (BEGAN + 5, BEGAN + 60, False), (BEGAN + 6.5, BEGAN + 7, False)],
)
def test_a_short_command_is_blamed_for_what_changed_meanwhile(began: float, ended: float, *, own: bool) -> None:
    """Not one that was long, and not for what changed before it began."""
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    rows = learned(world(bash_done("make", ended), open_bash(began)), knowledge)
    assert [one.wrote and one.digest != row.digest for one in rows if not one.beside] == [True] * own
    assert [one.beside for one in rows if one.beside] == ["make"] * (ended == BEGAN + 60)


@pytest.mark.parametrize("line", ["jest", "ruff format . && head -1 a.py", "npm test", "pytest -q"])
def test_whatever_the_command_says_of_itself(line: str) -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("one\ntwo\nTHREE\n", BEGAN + 6)
    rows = learned(world(bash_done(line, BEGAN + 7, "one\n"), open_bash(BEGAN + 5)), knowledge)
    assert [(one.wrote, one.seen, one.digest != row.digest) for one in rows] == [(True, ((1, 3),), True)]
    looked = learned(world(bash_done("cat b.py", BEGAN + 7), open_bash(BEGAN + 5)), knowledge)
    assert looked == (), "who only looks has not done it"


def test_a_tool_of_a_server_is_blamed_like_a_command() -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    call = ToolCall(id="b", tool="mcp__ide__rename", action="other", paths=("a.py",))
    done = ToolFinished(session="s", call=call, outcome="done", time=BEGAN + 7, cwd=ROOT)
    (now,) = learned(world(done, open_bash(BEGAN + 5)), knowledge)
    assert (now.wrote, now.digest != row.digest) == (True, True)


@pytest.mark.parametrize("line", ["rm -rf src", "mv src lib", "cp -r other/src ."])
def test_a_folder_that_is_named_covers_what_lies_below(line: str) -> None:
    """However long it takes."""
    knowledge = HeldKnowledge(HeldDisk({"src/a.py": (TEXT, BEGAN - 100)}))
    knowledge.keep(learned(world(read_done("src/a.py", TEXT)), knowledge))
    knowledge.disk.files = {"src/a.py": ("ONE\n", BEGAN + 6)} if line.startswith("cp") else {}
    rows = {one.path: one for one in learned(world(bash_done(line, BEGAN + 60), open_bash(BEGAN + 5)), knowledge)}
    assert rows["src/a.py"].wrote
    assert (rows["src/a.py"].digest == ABSENT) is (not line.startswith("cp"))


def test_who_was_interrupted_in_an_earlier_exchange_does_not_count() -> None:
    knowledge, _ = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    busy = AgentState(id="helper", open_calls=(OpenCall(id="x", action="bash", turn=1, unsure=True, exchange=1),))
    now = world(bash_done("make", BEGAN + 7), open_bash(BEGAN + 5), others=(busy,))
    (row,) = learned(replace(now, session=replace(now.session, exchange=2)), knowledge)
    assert row.wrote
    (row,) = learned(replace(now, session=replace(now.session, exchange=1)), knowledge)
    assert row.beside == "make"


def test_while_another_agent_may_write_nobody_is_blamed_alone() -> None:
    knowledge, _ = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    busy = AgentState(id="helper", open_calls=(OpenCall(id="x", action="edit", turn=1),))
    (row,) = learned(world(bash_done("make", BEGAN + 7), open_bash(BEGAN + 5), others=(busy,)), knowledge)
    assert (row.wrote, row.beside) == (False, "make")


@pytest.mark.parametrize(("beside", "kept"), [("", "python3"), ("make", "make"), (f"{UNRETURNED}abc", "python3")])
def test_the_first_command_that_may_have_done_it_is_kept(beside: str, kept: str) -> None:
    knowledge, row = after_read()
    knowledge.keep((replace(row, beside=beside),))
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    line = "cd src && cd .. && sleep 6 && python3 fix.py && npm test"
    (now,) = learned(world(bash_done(line, BEGAN + 60), open_bash(BEGAN + 5)), knowledge)
    assert now.beside == kept


def test_who_looks_while_it_changes_has_not_seen_the_change() -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": ("ONE\ntwo\nthree\n", BEGAN + 6)}))
    for command, lines in (("cat a.py", 3), ("head -2 a.py", 0)):
        look = bash_done(command, BEGAN + 7, "".join(TEXT.splitlines(keepends=True)[: 3 if lines else 2]))
        (row,) = learned(world(look, open_bash(BEGAN + 5, opaque=False)), knowledge)
        assert changed_file(row, knowledge, KEY) is not None
        assert len(row.lines) == lines * LINE_BYTES
        (row,) = learned(world(look, open_bash(BEGAN + 6.5, opaque=False)), knowledge)
        assert changed_file(row, knowledge, KEY) is None, "it had been changed before"


def test_a_file_that_was_moved_is_known_by_its_new_name() -> None:
    knowledge, row = after_read()
    knowledge.disk.files = {"b.py": knowledge.disk.files["a.py"]}
    rows = {one.path: one for one in learned(world(bash_done("mv a.py b.py", BEGAN + 1)), knowledge)}
    assert (rows["a.py"].digest, rows["b.py"].digest) == (ABSENT, row.digest)
    assert rows["b.py"].seen == row.seen


def test_how_the_client_left_a_file_is_what_the_agent_knows() -> None:
    """Whatever a formatter or a person has made of it by the time the hook looks."""
    knowledge, _ = after_read()
    call = ToolCall(id="e", tool="Edit", action="edit", paths=("a.py",), edits=(TextEdit("one", "1"),))
    event = ToolFinished(
        session="s", call=call, outcome="done", time=BEGAN + 5, cwd=ROOT, before=TEXT, after="1\ntwo\nthree\n"
    )
    knowledge.disk.files["a.py"] = ("", BEGAN + 5)
    (half,) = learned(world(event), knowledge)
    knowledge.disk.files["a.py"] = ("1\ntwo\nthree\n", BEGAN + 5)
    (row,) = learned(world(event), knowledge)
    assert half.digest == row.digest
    assert (half.stamp, bool(row.stamp)) == ((), True)


def test_what_is_told_late_makes_nothing_known() -> None:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN)}))
    call = ToolCall(id="w", tool="Write", action="write", paths=("a.py",), edits=(TextEdit("", TEXT),))
    late = ToolFinished(session="s", call=call, outcome="done", cwd=ROOT, source="transcript")
    assert learned(world(late), knowledge) == ()
    knowledge, _ = after_read("old\n")
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 1)
    (row,) = learned(world(late), knowledge)
    assert row.wrote


def test_an_empty_file_is_known_too() -> None:
    _, row = after_read("")
    assert row.is_whole
