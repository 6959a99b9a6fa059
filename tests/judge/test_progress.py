"""How far the agent is after each event."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.app.replay import RecordedFiles
from leeboard.judge.progress import SPANS_KEPT, diffs_now, progressed
from leeboard.model.event import (
    ActionType,
    Event,
    MessageSaid,
    Outcome,
    SessionEnded,
    Stopped,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolProposed,
)
from leeboard.model.fold import fold
from leeboard.model.policy import Policy
from leeboard.model.session import Pending, Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.workspace import Workspace
from leeboard.model.world import World

PLACE = Workspace("/repo")


def write(path: str, text: str, action: ActionType = "write", old: str = "") -> ToolCall:
    return ToolCall(id="t", tool=action.title(), action=action, paths=(path,), edits=(TextEdit(old, text),))


def proposed(call: ToolCall) -> ToolProposed:
    return ToolProposed(session="s", key="call:t", cwd="/repo", call=call)


def finished(call: ToolCall, outcome: Outcome = "done") -> ToolFinished:
    return ToolFinished(session="s", key="result:t", cwd="/repo", call=call, outcome=outcome)


class Work:
    """One agent's events, one after the other, over files that are what each event leaves."""

    def __init__(self, **files: str) -> None:
        self.files = RecordedFiles(PLACE.spell, {f"{name}.py": text for name, text in files.items()})
        self.session = Session(id="s")
        self.diffs: tuple[Diff, ...] = ()

    def take(self, event: Event) -> World:
        analysis = analyse(event, PLACE)
        before = World(
            session=self.session,
            agent=self.session.agent(""),
            analysis=analysis,
            policy=Policy(),
            workspace=PLACE,
        )
        self.files.observe(event)
        self.diffs = diffs_now(event, before, self.files)
        session, _ = fold(self.session, analysis)
        after = progressed(before, session, self.diffs)
        self.session = after.session
        return after


def test_a_call_that_writes_has_diffs_when_proposed_and_when_done() -> None:
    work, call = Work(), write("a.py", "x = 1\n")
    for event in (proposed(call), finished(call)):
        work.take(event)
        assert [(diff.path, diff.after) for diff in work.diffs] == [("a.py", "x = 1\n")]


@pytest.mark.parametrize("outcome", ["failed", "denied"])
def test_what_was_not_done_wrote_nothing(outcome: Any) -> None:
    work = Work()
    work.take(finished(write("a.py", "x = 1\n"), outcome))
    assert work.diffs == ()


def test_reading_and_speaking_write_nothing() -> None:
    work = Work()
    for event in (
        proposed(ToolCall(id="t", tool="Read", action="read", paths=("a.py",))),
        MessageSaid(session="s", text="x"),
    ):
        work.take(event)
        assert work.diffs == ()


def test_which_lines_of_a_whole_file_are_new_is_remembered_until_it_is_written() -> None:
    """Afterwards the file is as the call left it, and nobody could tell."""
    work, call = Work(a="one = 1\ntwo = 2\n"), write("a.py", "one = 1\nnew = 3\ntwo = 2\n")
    work.take(proposed(call))
    assert work.diffs[0].added == ((2, 2),)
    work.take(finished(call))
    assert work.diffs[0].added == ((2, 2),)
    assert not work.diffs[0].is_new


def test_a_new_file_is_new_afterwards_too() -> None:
    work, call = Work(b="x"), write("a.py", "one = 1\n")
    work.take(proposed(call))
    work.take(finished(call))
    assert work.diffs[0].is_new


def test_of_too_many_places_the_nearest_are_one() -> None:
    lines = [f"v{number} = {number}\n" for number in range(4 * SPANS_KEPT)]
    changed = [line if at % 2 else f"n{line}" for at, line in enumerate(lines)]
    work = Work(a="".join(lines))
    after = work.take(proposed(write("a.py", "".join(changed))))
    (call,) = after.agent.open_calls
    assert call.added is not None
    assert len(call.added) == SPANS_KEPT
    assert (call.added[0][0], call.added[-1][1]) == (1, 4 * SPANS_KEPT - 1)


def test_a_write_that_only_takes_lines_away_adds_none() -> None:
    """What stood there before was not written now."""
    work, call = Work(a="one\ntwo\nthree\n"), write("a.py", "two\nthree\n")
    (open_call,) = work.take(proposed(call)).agent.open_calls
    assert open_call.added == ()


def test_what_it_does_to_the_code_counts_once_it_is_done() -> None:
    text = "def total(rows):\n    if rows:\n        return sum(rows)\n    return 0\n"
    work, call = Work(b="x"), write("a.py", text)
    assert work.take(proposed(call)).session.health.functions == 0
    health = work.take(finished(call)).session.health
    assert (health.functions, health.decisions, health.files) == (1, 1, 1)


def test_what_a_denied_call_would_have_done_never_counts() -> None:
    work, call = Work(b="x"), write("a.py", "def total(rows):\n    return sum(rows)\n")
    work.take(proposed(call))
    assert work.take(finished(call, "denied")).session.health.functions == 0


def test_a_diff_that_is_followed_by_words_is_a_pause() -> None:
    work, call = Work(), write("a.py", "x = 1\n")
    work.take(proposed(call))
    assert not work.take(finished(call)).agent.lull
    assert work.take(MessageSaid(session="s", text="Now I turn to the tests.")).agent.lull
    assert not work.take(proposed(replace(call, id="t2"))).agent.lull, "at work again"


def test_building_on_what_waits_settles_it() -> None:
    """SW-49."""
    signal = Signal(subclass="A1", rework_cost=3, self_correct_prob=0.8, symbol="verify")
    found = Finding(rule="r", subject="n.py:verify", evidence=(Evidence("x"),), path="n.py", signal=signal)
    work, call = Work(), write("a.py", "from n import verify\nverify(1)\n")
    after = work.take(proposed(call))
    pending = Pending(id="s1", finding=found, turn=after.agent.turn - 1, urgency=2.7, disposition="QUEUE")
    work.session = replace(after.session, agents=(replace(after.agent, pending=(pending,)),))
    (settled,) = work.take(finished(call)).agent.pending
    assert (settled.wired, settled.disposition) == (True, "FIRE")


@pytest.mark.parametrize(
    ("event", "finished_now"),
    [
        (Stopped(session="s", text="Done. All tests pass and the feature is complete."), True),
        (Stopped(session="s", text="Which of the two do you want?"), False),
        (SessionEnded(session="s"), True),
        (MessageSaid(session="s", text="Done."), False),
    ],
)
def test_the_report_is_due_when_the_work_is_said_to_be_done(event: Event, *, finished_now: bool) -> None:
    assert bool(Work().take(event).session.finished) == finished_now
