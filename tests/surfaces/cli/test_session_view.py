from __future__ import annotations

import pytest

from leeboard.app.allowances import new_allowance
from leeboard.app.views.session import allowance_view, goal_view
from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import Drift, Goal, Session
from leeboard.model.verdict import Action, Verdict
from leeboard.surfaces.cli.session_view import (
    described,
    ending_rows,
    goal_rows,
    history_line,
    how_long,
    print_message,
    print_verdict,
)
from leeboard.surfaces.cli.terminal import Console

SESSION = Session(
    id="s",
    goals=(
        Goal(text="fix auth", exchange=1, scope=("src/auth/",)),
        Goal(text="and the docs", exchange=2, scope=("docs/",)),
    ),
    contract=Contract(
        objective="and the docs",
        scope=("docs/", "src/auth/", "src/lib/"),
        constraints=(Constraint(text="DO NOT push", kind="forbid"),),
    ),
    turns=3,
    scored=4,
    drifted=2,
    last_score=6,
)


def test_the_goal_as_it_was_understood() -> None:
    rows = dict(goal_rows(goal_view(SESSION)))
    assert rows == {
        "goal": "and the docs",
        "first asked": "fix auth",
        "scope": "docs/, src/auth/",
        "limit": "DO NOT push (not checkable: given to the agent, not judged)",
    }
    assert dict(goal_rows(goal_view(Session(id="s")))) == {"goal": "not stated"}


def test_words_for_the_agent_stand_behind_a_bar_and_whole(capsys: pytest.CaptureFixture[str]) -> None:
    message = "<leeboard>\nword " + "long " * 30 + "end\n</leeboard>"
    print_message(message, Console(width=60))
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(("    │ ", "    | ")) and len(line) <= 60 for line in lines)
    assert " ".join(" ".join(line[6:] for line in lines).split()) == " ".join(message.split())


def test_a_verdict_says_how_far_off_and_what_became_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict(
        id="v1",
        session="s",
        agent="",
        turn=4,
        action=Action.DENY,
        event="ToolProposed",
        score=3,
        level="intervene",
        rules=("scope_drift",),
        paths=("a.css",),
    )
    print_verdict(verdict, Console(width=100))
    out = capsys.readouterr().out
    assert " 3/10  intervene  turn 4  refused" in out
    assert "a.css  scope_drift" in out


def test_how_it_ended() -> None:
    rows = dict(ending_rows(SESSION, skipped=2))
    assert "4 actions scored in 3 turns: 2 off course" in str(rows["in all"])
    assert str(rows["at the end"]) == "6/10, mode NORMAL"
    assert "2 lines" in str(rows["not read"])


def test_of_a_long_history_the_newest_is_shown() -> None:
    history = tuple(Drift(score, "none", 0.0) for score in (10, 9, 8))
    assert history_line(history).plain == "10 9 8 "
    assert history_line(history, most=2).plain == "(the last 2 of 3) 9 8 "


def test_what_an_allowance_lets_pass_and_how_long() -> None:
    rule, finding = (
        allowance_view(new_allowance(reason="x", until="", **terms))
        for terms in ({"rule": "circling"}, {"fingerprint": "tangent:a.css"})
    )
    assert described(rule) == "circling on every path"
    assert described(finding) == "tangent:a.css"
    forever, short = (allowance_view(new_allowance(path="a/", reason="x", until=until)) for until in ("", "2h"))
    assert how_long(forever) == "for good"
    assert how_long(short).startswith("until 2")
    assert forever.until is None
