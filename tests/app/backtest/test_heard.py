"""What would have been said in one session."""

from __future__ import annotations

import msgspec

from leeboard.app.backtest.chosen_settings import BARE, under_profile
from leeboard.app.backtest.heard import Heard, hear
from leeboard.app.replay import read_recording, replay_bytes
from tests.leak import live_key
from tests.recorded_sessions import ASKED, staying, straying


def heard(data: bytes, name: str = "a") -> Heard:
    return hear(read_recording(data, name), name, BARE)


def test_all_that_an_agent_hears_and_nothing_else() -> None:
    found = heard(straying())
    said = [one for one in replay_bytes(straying()) if one["kind"] == "verdict" and one["message"]]
    assert [(one.turn, one.tool_use_id, one.action, list(one.rules)) for one in found.remarks] == [
        (one["turn"], one["tool_use_id"], one["action"], one["rules"]) for one in said
    ]
    assert [(one.action, one.refuses) for one in found.remarks] == [("DENY", True), ("DENY", True)]
    assert heard(staying()).remarks == ()


def test_a_message_stands_with_what_was_asked_for_then() -> None:
    assert {remark.goal for remark in heard(straying()).remarks} == {ASKED}


def test_an_id_is_of_these_words_at_this_place() -> None:
    ids = [remark.id for remark in heard(straying()).remarks]
    assert len(set(ids)) == 2
    assert [remark.id for remark in heard(straying(), "copied").remarks] == ids
    assert not {*ids} & {remark.id for remark in heard(straying("another")).remarks}


def test_a_silent_profile_says_nothing() -> None:
    watching = under_profile(BARE, "observe")
    assert hear(read_recording(straying()), "a", watching).remarks == ()


def test_no_secret_is_in_what_is_kept() -> None:
    assert live_key(1).encode() not in msgspec.json.encode(heard(straying()))
