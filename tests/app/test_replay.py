"""A recorded session, played as if it were happening now."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.app.replay import open_reader, play, replay_bytes, sniff
from leeboard.model.event import Event, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Verdict
from tools.scripted import transcript

RECORDED = sorted((Path(__file__).parent.parent / "fixtures" / "transcripts").glob("c*.jsonl"))
DRIFTING = """@ fix auth bug
read src/auth/token.ts
  const ttl = 1
edit src/auth/token.ts
  - const ttl = 1
  + const ttl = 2
edit src/styles/theme.css
  - red
  + blue
edit src/components/Button.tsx
  - a
  + b
@ looks good
"""
DATA = transcript(DRIFTING, session="s1", repo="shop", forced_reads=False)


def test_from_the_transcript_alone_every_action_is_scored() -> None:
    """AD-05, AD-106: without hooks and without reasoning."""
    played = play(DATA)
    assert played.session.scored == 3
    drifting = [verdict for verdict in played.verdicts if verdict.event == "ToolProposed"]
    assert [verdict.paths for verdict in drifting] == [("src/styles/theme.css",), ("src/components/Button.tsx",)]
    assert all(verdict.score < 8 for verdict in drifting)


def test_what_is_spoken_is_what_the_agent_would_have_heard() -> None:
    objects = replay_bytes(DATA)
    said = [(one["action"], one["paths"]) for one in objects if one["kind"] == "verdict" and one["message"]]
    assert said == [("INJECT", ["src/styles/theme.css"]), ("INJECT", ["src/components/Button.tsx"])]
    summary = objects[-1]
    assert (summary["kind"], summary["spoken"], summary["denied"]) == ("summary", 2, 0)
    assert summary["session"] == msgspec.json.decode(DATA.splitlines()[-1])["sessionId"]
    assert summary["skipped_lines"] == 0


def test_an_end_of_turn_is_heard_with_what_the_agent_claims() -> None:
    """No transcript tells of it: it is where the agent said its last word."""
    claimed = """@ fix a.py
read a.py
  x = 1
$ pytest -q
  3 passed in 0.1s
edit a.py
  - x = 1
  + x = 2
~ All tests pass.
@ thanks
"""
    told = replay_bytes(transcript(claimed, session="s1", repo="shop", forced_reads=False))
    (said,) = [one for one in told if one["kind"] == "verdict" and one["message"]]
    assert said["rules"] == ["unproven_claim"]
    shown = claimed.replace("~ All", "$ pytest -q\n  3 passed in 0.1s\n~ All")
    told = replay_bytes(transcript(shown, session="s1", repo="shop", forced_reads=False))
    assert [one for one in told if one["kind"] == "verdict" and one["message"]] == []


def test_a_policy_changes_what_is_done_and_not_the_scores() -> None:
    advised, enforced = play(DATA), play(DATA, policy=Policy(profile="enforce"))
    scores = [[drift.score for drift in played.session.history] for played in (advised, enforced)]
    assert scores[0] == scores[1]
    assert enforced.session.denied == 2
    assert advised.session.denied == 0


def test_a_disabled_rule_says_nothing() -> None:
    quiet = play(DATA, policy=Policy(disabled_rules=("scope_drift", "tangent", "ignored_correction")))
    assert quiet.verdicts == []


def test_an_observer_is_told_of_every_event() -> None:
    seen: list[tuple[str, int]] = []

    def observe(event: Event, verdict: Verdict | None, session: Session) -> None:
        if isinstance(event, ToolProposed):
            seen.append((event.call.tool, verdict.score if verdict else -1))
        told.append(session.events)

    told: list[int] = []
    session = play(DATA, observer=observe).session
    assert [tool for tool, _ in seen] == ["Read", "Edit", "Edit", "Edit"]
    assert told == list(range(1, session.events + 1))


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\x00\xff garbage", b"{}\n[]\n", b'{"type": 7}\nnot json'])
def test_bytes_that_are_no_session_give_an_empty_one(data: bytes) -> None:
    played = play(data, name="x")
    assert (played.verdicts, played.session.events) == ([], 0)


def test_half_a_line_at_the_end_is_passed_over_and_a_broken_one_counted() -> None:
    whole, torn, broken = play(DATA), play(DATA + b'{"type": "user", "mess'), play(DATA + b"{ what\n")
    assert torn.verdicts == whole.verdicts == broken.verdicts
    assert (whole.skipped_lines, torn.skipped_lines, broken.skipped_lines) == (0, 0, 1)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_played_twice_it_is_the_same_to_the_byte(path: Path) -> None:
    data = path.read_bytes()
    assert msgspec.json.encode(replay_bytes(data)) == msgspec.json.encode(replay_bytes(data))


@settings(max_examples=40)
@given(st.lists(st.integers(0, len(DATA)), max_size=30))
def test_any_chunking_gives_the_same_events(cuts: list[int]) -> None:
    kind = sniff(DATA)
    assert kind != "unknown"
    places = [0, *sorted(cuts), len(DATA)]
    whole, pieces = open_reader(kind), open_reader(kind)
    events = [*whole.feed(DATA), *whole.finish()]
    fed = [event for start, end in pairwise(places) for event in pieces.feed(DATA[start:end])]
    assert [*fed, *pieces.finish()] == events


@settings(max_examples=25)
@given(st.integers(0, len(DATA)))
def test_a_session_that_is_still_growing_keeps_its_verdicts(end: int) -> None:
    """What was concluded from the beginning is not changed by what comes later."""
    begun, whole = play(DATA[:end]).verdicts, play(DATA).verdicts
    calls = [verdict.tool_use_id for verdict in begun if verdict.event == "ToolProposed"]
    assert calls == [verdict.tool_use_id for verdict in whole if verdict.event == "ToolProposed"][: len(calls)]
    assert all(verdict.action is not Action.DENY for verdict in begun)
