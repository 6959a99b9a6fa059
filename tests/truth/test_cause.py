from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import PromptGiven, ToolCall, ToolProposed
from leeboard.model.known import OVERWRITTEN, ChangedFile, Known
from leeboard.model.session import OpenCall
from leeboard.truth.cause import NOT_BACK, UNKNOWN, author_of, remembered
from leeboard.truth.learn import learned
from leeboard.truth.state import state_of
from tests.known_world import BEGAN, KEY, HeldDisk, HeldKnowledge, open_bash, read_done, world_of

TEXT = "value = 'a'\n"
NOW = "value = 'b'\n"


def changed(text: str = NOW, at: float = BEGAN + 60, **parts: object) -> tuple[ChangedFile, HeldKnowledge]:
    knowledge = HeldKnowledge(HeldDisk({"a.py": (TEXT, BEGAN - 9)}))
    (known,) = learned(world_of(read_done("a.py", TEXT)), knowledge)
    known = replace(known, **parts)
    knowledge.keep((known,))
    knowledge.disk.files["a.py"] = (text, at)
    return ChangedFile(known=known, now=state_of(text, KEY), stamp=knowledge.disk.look("a.py") or ()), knowledge


def author(found: ChangedFile, knowledge: HeldKnowledge, *calls: OpenCall, at: float = BEGAN + 61) -> tuple[str, str]:
    told = author_of(found, world_of(PromptGiven(session="s", text="go on", time=at), *calls), knowledge)
    return told.kind, told.words


def left_by(found: ChangedFile, session: str, agent: str, time: float) -> Known:
    row = replace(found.known, session=session, agent=agent, wrote=True, time=time)
    return replace(row, digest=found.now.digest)


def test_nobody_known_is_said_to_be_unknown() -> None:
    assert author(*changed()) == ("unknown", UNKNOWN)


@pytest.mark.parametrize(
    ("session", "agent", "kind"), [("s", "helper", "agent"), ("other", "", "session"), ("other", "x", "session")]
)
def test_whoever_left_it_so_is_named(session: str, agent: str, kind: str) -> None:
    found, knowledge = changed()
    knowledge.keep((left_by(found, session, agent, BEGAN + 5),))
    assert author(found, knowledge)[0] == kind


def test_who_left_it_so_before_the_agent_knew_it_has_not_done_it_since() -> None:
    found, knowledge = changed()
    knowledge.keep((left_by(found, "other", "", BEGAN - 5),))
    assert author(found, knowledge)[0] == "unknown"


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (OpenCall(id="e", action="edit", turn=1, modifies=("a.py",), began=BEGAN + 59), "own"),
        (OpenCall(id="e", action="edit", turn=1, modifies=("a.py",), began=BEGAN + 60.5), "unknown"),
        (OpenCall(id="e", action="edit", turn=0, modifies=("a.py",), began=BEGAN + 59), "unknown"),
        (OpenCall(id="e", action="edit", turn=1, modifies=("b.py",), began=BEGAN + 59), "unknown"),
        (open_bash(BEGAN + 59), "own"),
        (open_bash(BEGAN + 50), "unknown"),
        (open_bash(BEGAN + 59, opaque=False), "unknown"),
        (OpenCall(id="m", action="other", turn=1, unsure=True, began=BEGAN + 59), "own"),
    ],
    ids=[
        "names it",
        "began later",
        "of an earlier message",
        "names another",
        "short script",
        "long",
        "only looks",
        "server",
    ],
)
def test_a_call_that_still_runs(call: OpenCall, kind: str) -> None:
    found, knowledge = changed()
    edit = ToolCall(id="x", tool="Edit", action="edit", paths=("a.py",))
    beside = world_of(ToolProposed(session="s", call=edit, time=BEGAN + 61), call)
    assert author_of(found, beside, knowledge).kind == kind
    said = author(found, knowledge, call)
    assert said == ("unknown", NOT_BACK if kind == "own" else UNKNOWN), "once the user speaks nobody will tell"
    later = replace(beside, session=replace(beside.session, exchange=2))
    assert author_of(found, later, knowledge).kind == "unknown", "it was interrupted"


def test_what_another_agent_wrote_over_is_not_its_doing_alone() -> None:
    found, knowledge = changed(beside=OVERWRITTEN)
    knowledge.keep((left_by(found, "s", "helper", BEGAN + 5),))
    assert author(found, knowledge) == ("unknown", f"{UNKNOWN}; another agent of this session wrote it since")


@pytest.mark.parametrize(
    ("text", "at", "wrote", "kind"),
    [
        ('value = "a"\n', BEGAN + 3, True, "formatter"),
        ('value = "a"\n', BEGAN + 30, True, "unknown"),
        ('value = "a"\n', BEGAN + 3, False, "unknown"),
        (NOW, BEGAN + 3, True, "linter"),
        (NOW, BEGAN + 30, True, "unknown"),
        (NOW, BEGAN + 3, False, "unknown"),
    ],
)
def test_a_formatter(text: str, at: float, kind: str, *, wrote: bool) -> None:
    assert author(*changed(text, at, wrote=wrote))[0] == kind


def test_what_may_help_to_find_out_is_said() -> None:
    assert "only white space, quotes or trailing commas differ" in author(*changed('value = "a"\n'))[1]
    assert "a formatter, a linter or a person" in author(*changed(at=BEGAN + 3, wrote=True))[1]
    assert "your own `make` ran at that time, or a person" in author(*changed(beside="make"))[1]


def test_its_own_command_is_named_also_seconds_after_its_own_edit() -> None:
    kind, words = author(*changed(at=BEGAN + 6, wrote=True, beside="python3"))
    assert kind == "linter"
    assert words == (
        "seconds after your own edit: your own `python3` that ran at that time, a formatter, a linter or a person"
    )


@pytest.mark.parametrize(("at", "wrote"), [(BEGAN + 60, False), (BEGAN + 3, True)], ids=["later", "after its edit"])
@pytest.mark.parametrize("text", [NOW, 'value = "a"\n'])
def test_a_call_that_never_came_back_is_remembered(text: str, at: float, *, wrote: bool) -> None:
    found, knowledge = changed(text, at, wrote=wrote)
    world = world_of(PromptGiven(session="s", text="go on", time=at + 1), open_bash(at - 1))
    first = author_of(found, world, knowledge)
    assert "your own call that has not come back" in first.words
    again = replace(found, known=remembered(found, first))
    assert author_of(again, world_of(PromptGiven(session="s", text="more", time=at + 9)), knowledge) == first
    other = replace(again, now=state_of("value = 'c'\n", KEY))
    assert "your own" not in author(other, knowledge)[1].removeprefix("seconds after your own edit"), "another change"


def test_what_another_agent_wrote_over_is_remembered_first() -> None:
    found, knowledge = changed(beside=OVERWRITTEN)
    world = world_of(PromptGiven(session="s", text="go on", time=BEGAN + 61), open_bash(BEGAN + 59))
    assert remembered(found, author_of(found, world, knowledge)) == found.known


def test_git() -> None:
    found, knowledge = changed()
    knowledge.disk.commits["a.py"] = "abc12345"
    assert author(found, knowledge) == ("unknown", f"{UNKNOWN}; it now equals commit abc12345")
    soon, kept = changed(at=BEGAN + 3, wrote=True)
    kept.disk.commits["a.py"] = "abc12345"
    assert author(soon, kept)[0] == "linter", "a fixer takes back an import as well"
    knowledge.disk.moved_at = BEGAN + 60
    kind, words = author(found, knowledge)
    assert kind == "git"
    assert "it now equals commit abc12345, and HEAD has moved since" in words
