"""The lines that samples and playbook tests are written in."""

from __future__ import annotations

import pytest

from leeboard.io.store.memory import MemoryStore
from leeboard.model.event import (
    MessageSaid,
    PromptGiven,
    Stopped,
    TextEdit,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.policy import Policy
from leeboard.model.verdict import Action, Moment
from leeboard.testing.scenario import SESSION, events_of, play, tell


def test_each_line_is_what_it_reads_like() -> None:
    events = events_of(("@ fix it", "~ I will", "read a.py", "edit a.py | x = 1 => x = 2", "$! make -> boom", "stop"))
    assert [type(event) for event in events] == [
        PromptGiven,
        MessageSaid,
        *([ToolProposed, ToolFinished, TurnEnded] * 3),
        Stopped,
    ]
    calls = [event.call for event in events if isinstance(event, ToolProposed)]
    assert [(call.action, call.paths, call.command) for call in calls] == [
        ("read", ("a.py",), ""),
        ("edit", ("a.py",), ""),
        ("bash", (), "make"),
    ]
    assert calls[1].edits == (TextEdit("x = 1", "x = 2"),)
    results = [(event.outcome, event.output) for event in events if isinstance(event, ToolFinished)]
    assert results[-1] == ("failed", "boom")


def test_joined_lines_are_one_message() -> None:
    events = events_of(("read a.py", "& read b.py", "read c.py"))
    kinds = "".join(
        {"ToolProposed": "p", "ToolFinished": "f", "TurnEnded": "."}[type(event).__name__] for event in events
    )
    assert kinds == "ppff.pf."


def test_a_line_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="line 1 is no line of a scenario: 'dance'"):
        events_of(("@ fix it", "dance"))


def test_a_denied_call_is_not_carried_out() -> None:
    played = play(("@ Fix a.py. Never push.", "$ git push"), Policy(profile="enforce"))
    assert played.proposed()[-1].action is Action.DENY
    (result,) = [told.event for told in played.told if isinstance(told.event, ToolFinished)]
    assert result.outcome == "denied"


def test_the_story_goes_on_in_the_same_store() -> None:
    store = MemoryStore()
    play(("@ fix a.py",), store=store)
    verdict = tell(Stopped(session=SESSION), store)
    assert verdict is not None
    session = store.session(SESSION)
    assert session is not None
    assert (session.exchange, session.events) == (1, 2)


def test_another_moment_may_be_given() -> None:
    store = MemoryStore()
    play(("@ fix auth bug", "edit src/auth/token.ts"), store=store)
    *_, proposed, _, _ = events_of(("@ a", "@ b", "edit src/styles/theme.css"))
    mute = tell(proposed, store, moment=Moment(name="none"))
    assert mute is not None
    assert mute.action is Action.QUEUE
