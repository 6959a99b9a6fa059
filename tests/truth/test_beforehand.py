from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.event import TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.known import OVERWRITTEN, Known
from leeboard.model.session import AgentState
from leeboard.truth.beforehand import noticed
from leeboard.truth.learn import learned
from leeboard.truth.state import state_of
from tests.known_world import BEGAN, KEY, ROOT, HeldDisk, HeldKnowledge, bash_done, bash_proposed, open_bash, read_done
from tests.known_world import world_of as world

TEXT = "one\ntwo\nthree\n"
THEIRS = "ONE\ntwo\nthree\n"
MAIN = (AgentState(),)
EDIT = ToolCall(id="e", tool="Edit", action="edit", paths=("a.py",), edits=(TextEdit("two", "2"),))


def after_read() -> tuple[HeldKnowledge, Known]:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN - 100)}))
    (row,) = learned(world(read_done("a.py", TEXT)), knowledge)
    knowledge.keep((row,))
    return knowledge, row


def test_what_had_been_changed_before_a_command_stays_somebody_elses() -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN + 6)
    (marked,) = noticed(world(bash_proposed("make", BEGAN + 7)), knowledge)
    assert (marked.stale, marked.digest) == (True, row.digest)
    knowledge.keep((marked,))
    knowledge.disk.files["a.py"] = ("ONE\nTWO\nthree\n", BEGAN + 8)
    assert learned(world(bash_done("make", BEGAN + 9), open_bash(BEGAN + 7)), knowledge) == ()
    assert noticed(world(bash_proposed("ls", BEGAN + 7)), knowledge) == (), "it can change nothing"
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 10)
    (taken_back,) = noticed(world(bash_proposed("make", BEGAN + 11)), knowledge)
    assert not taken_back.stale


def test_what_its_own_call_is_doing_is_not_somebody_elses() -> None:
    knowledge, _ = after_read()
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 6)
    running = replace(open_bash(BEGAN + 5), id="before")
    assert noticed(world(bash_proposed("make", BEGAN + 7), running), knowledge) == ()
    assert noticed(world(bash_proposed("make", BEGAN + 7), replace(running, began=BEGAN)), knowledge)[0].stale


def test_another_agent_that_writes_does_not_take_over_what_nobody_of_the_session_did() -> None:
    knowledge, row = after_read()
    edit = ToolProposed(session="s", agent="helper", call=EDIT, time=BEGAN + 7, cwd=ROOT)
    assert noticed(world(edit, others=MAIN), knowledge) == ()
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 6)
    assert noticed(world(edit, others=MAIN), knowledge) == (replace(row, beside=OVERWRITTEN),)
    script = replace(bash_proposed("make", BEGAN + 7), agent="helper")
    assert noticed(world(script, others=MAIN), knowledge) == (replace(row, beside=OVERWRITTEN),)
    knowledge.keep((replace(row, beside=OVERWRITTEN),))
    assert noticed(world(edit, others=MAIN), knowledge) == (), "it is known already"
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 8)
    assert noticed(world(edit, others=MAIN), knowledge) == (row,), "taken back"


def test_what_an_agent_of_the_session_left_is_nothing_that_could_be_lost() -> None:
    knowledge, row = after_read()
    knowledge.disk.files["a.py"] = (THEIRS, BEGAN + 6)
    left = replace(row, agent="third", digest=state_of(THEIRS, KEY).digest, wrote=True, time=BEGAN + 6)
    knowledge.keep((left,))
    edit = ToolProposed(session="s", agent="helper", call=EDIT, time=BEGAN + 7, cwd=ROOT)
    assert noticed(world(edit, others=MAIN), knowledge) == ()


def test_what_a_call_was_written_over_counts_as_well() -> None:
    knowledge, row = after_read()
    after = THEIRS.replace("two", "2")
    knowledge.disk.files["a.py"] = (after, BEGAN + 6)
    event = ToolFinished(
        session="s", agent="helper", call=EDIT, outcome="done", time=BEGAN + 7, cwd=ROOT, before=THEIRS, after=after
    )
    mine, others = learned(world(event, others=MAIN), knowledge)
    assert (mine.agent, others) == ("helper", replace(row, beside=OVERWRITTEN))
    (mine,) = learned(world(replace(event, before=TEXT), others=MAIN), knowledge)
    assert mine.agent == "helper"
