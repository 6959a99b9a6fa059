from __future__ import annotations

import io

import pytest
from msgspec.structs import replace

from leeboard.app.views.why import signal_page
from leeboard.model.outcome import FINDING_STATES, Judged, JudgedState
from leeboard.surfaces.cli.session_view import STATE_STYLES, show_signal
from leeboard.surfaces.cli.terminal import Console

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


def shown(judged: Judged) -> str:
    out = io.StringIO()
    show_signal(signal_page(judged, "session-1"), Console(file=out, width=200))
    return out.getvalue()


def test_a_person_reads_how_it_came_about() -> None:
    out = shown(SIGNAL)
    for part in (
        "finding  s1, weak_crypto LB-B301, said at a pause",
        "a.py:5, turn 4, said in turn 5",
        "2.0, confidence 0.8; the agent hears of it at the next pause",
    ):
        assert part in out
    assert (
        out.index("MD5 hashes")
        < out.index("it costs 2 to put right x 0.5")
        < out.index("floor 2")
        < out.index("said: Use bcrypt")
    )


def test_what_was_only_logged_was_not_said() -> None:
    assert "not said: Use bcrypt" in shown(replace(SIGNAL, state="logged"))
    assert "session session-1" in shown(SIGNAL)


def test_what_was_not_said_does_not_claim_a_turn() -> None:
    assert "said in turn" not in shown(replace(SIGNAL, spoken_turn=-1))


@pytest.mark.parametrize("state", sorted(STATE_STYLES))
def test_every_state_can_be_shown(state: JudgedState) -> None:
    assert FINDING_STATES[state] in shown(replace(SIGNAL, state=state))


def test_nothing_in_a_text_is_taken_for_markup() -> None:
    assert "[bold]x[/bold]" in shown(replace(SIGNAL, message="[bold]x[/bold]"))
