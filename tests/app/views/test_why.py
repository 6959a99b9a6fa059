from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from leeboard.app.views.said import SaidView
from leeboard.app.views.why import VerdictPage, VerdictView, how_it_came, signal_page, signal_view
from leeboard.errors import ConfigError
from leeboard.model.outcome import Judged

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

SIGNAL = Judged(
    id="s1",
    agent="worker",
    turn=4,
    subclass="B3",
    urgency="2.0",
    disposition="QUEUE",
    state="delivered",
    rule="weak_crypto",
    subject="a.py:md5",
    path="a.py",
    line=5,
    confidence=0.8,
    message="Use bcrypt in a.py:5.",
    reason="MD5 hashes a password.",
    spoken_turn=5,
    trace=("MD5 hashes a password.", "B3 DIFF: 2 x 0.5 = 1.0", "floor 2"),
)


def test_a_program_gets_every_field() -> None:
    found = msgspec.to_builtins(signal_view(SIGNAL, "session-1"))
    assert (found["kind"], found["session"], found["agent"]) == ("signal", "session-1", "worker")
    assert found["trace"] == SIGNAL.trace
    assert {"id", "turn", "rule", "subclass", "urgency", "disposition", "state", "note", "reason"} <= set(found)


@pytest.mark.parametrize(
    ("path", "line", "told"), [("a.py", 5, "a.py:5"), ("a.py", 0, "a.py"), ("", 0, "a.py:md5"), ("", 3, "a.py:md5")]
)
def test_where_it_is(path: str, line: int, told: str) -> None:
    assert signal_page(replace(SIGNAL, path=path, line=line), "session-1").place == told


def test_a_finding_leads_to_its_verdict(monkeypatch: pytest.MonkeyPatch, drifted: Desk) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(drifted.state))
    page = how_it_came("LB-S001:src/styles/theme.css", str(drifted.repo))
    assert isinstance(page, VerdictPage)
    assert page.event == "ToolProposed"
    assert "scope_drift" in page.verdict.rules
    assert any(finding.subject == "src/styles/theme.css" for finding in page.verdict.findings)
    with pytest.raises(ConfigError, match=r"no rule found anything about src/auth.*scored 10/10"):
        how_it_came("./src/auth/token.ts", str(drifted.repo))
    with pytest.raises(ConfigError, match="nothing is known of 'v0'"):
        how_it_came("v0", str(drifted.repo))


def test_people_are_told_of_a_finding_without_the_names_of_the_formats() -> None:
    found = signal_view(replace(SIGNAL, trace=(*SIGNAL.trace, "QUEUE", "LOG: seen before")), "session-1")
    assert found.became == "said at a pause"
    assert found.steps == (
        "MD5 hashes a password.",
        "it costs 2 to put right x 0.5 that the agent does not notice = 1.0",
        "floor 2",
        "only noted: seen before",
    )


def test_a_correction_is_told_by_the_id_it_was_said_under() -> None:
    """Judged before the call ran, said after it: the person was shown the second id."""
    view = VerdictView(
        session="s",
        turn=1,
        tool_use_id="t1",
        action="QUEUE",
        score=6,
        level="correct",
        confidence="high",
        rules=("scope_drift",),
        codes=("LB-S001",),
        paths=("a.css",),
        message="",
        id="v1",
        trace=(),
        findings=(),
    )
    said = SaidView(
        id="v2",
        session="s",
        agent="",
        turn=1,
        how="told",
        level="correct",
        score=6,
        rules=("scope_drift",),
        codes=("LB-S001",),
        paths=("a.css",),
        words="Go back.",
    )
    page = VerdictPage(verdict=view, event="ToolProposed", said=said)
    assert page.heads == (
        ("correction", "v2, told the agent, level correct"),
        ("judged", "v1, noted, to be said at the next pause, level correct"),
    )
    assert page.about == "a call, before it ran: t1"
    assert replace(page, event="Stopped", said=None).about == "the agent's wish to stop"
