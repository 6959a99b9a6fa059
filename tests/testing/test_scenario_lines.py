"""The lines that a scenario is written in."""

from __future__ import annotations

import pytest

from leeboard.model.event import (
    Event,
    MessageSaid,
    PromptGiven,
    Stopped,
    TextEdit,
    ToolFinished,
    ToolProposed,
    TreeChecked,
    TurnEnded,
)
from leeboard.model.unit import StopProposed
from leeboard.testing.scenario_lines import Meanwhile, events_of


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


def test_what_others_do_happens_while_the_calls_run() -> None:
    events = events_of(("read a.py", "& meanwhile a.py | x = 2", "meanwhile b.py | y"))
    assert [type(event) for event in events] == [ToolProposed, Meanwhile, ToolFinished, TurnEnded, Meanwhile]
    assert [(event.path, event.text) for event in events if isinstance(event, Meanwhile)] == [
        ("a.py", "x = 2"),
        ("b.py", "y"),
    ]


def only(line: str) -> Event:
    (event,) = events_of((line,))
    return event


def test_a_check_names_how_a_command_ended_or_what_was_not_seen() -> None:
    ended, unseen = only("check make test -> exit 2"), only("check unseen a.py")
    assert isinstance(ended, TreeChecked)
    assert isinstance(unseen, TreeChecked)
    assert [(run.command, run.passed, run.code) for run in ended.acceptance] == [("make test", False, 2)]
    assert (unseen.change.unseen, unseen.acceptance) == (("a.py",), ())


def test_an_agent_may_be_kept_going() -> None:
    event = only("leave again All done.")
    assert isinstance(event, StopProposed)
    assert (event.already_blocked, event.text) == (True, "All done.")
