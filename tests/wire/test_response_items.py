"""Items of a response: what is a call, and what is left of a list."""

from __future__ import annotations

from typing import Any

import pytest

from leeboard.wire import response_items
from leeboard.wire.docket import Docket, HeldCall
from leeboard.wire.seam import RELEASE, Substitute, Usage
from tests.wire.answers import custom_call, function_call, said, thought
from tests.wire.carrying import withhold


def edited(items: list[dict[str, Any]], *chosen: str) -> list[str]:
    docket = Docket()
    known: dict[str, HeldCall] = {}
    for item in items:
        if response_items.is_call(item):
            known[item["call_id"]] = docket.open()
            docket.complete(known[item["call_id"]], response_items.read_call(item, 0))
            docket.rule(item["call_id"], withhold() if item["call_id"] in chosen else RELEASE)
    return [item["id"] for item in response_items.edit(items, known)]


def test_thoughts_stay_with_a_call_that_is_left() -> None:
    items = [thought("r"), function_call("a"), function_call("b"), said("m", "x")]
    assert edited(items) == ["r", "fc_a", "fc_b", "m"]
    assert edited(items, "a") == ["r", "fc_b", "m"]
    assert edited(items, "b") == ["r", "fc_a", "m"]
    assert edited(items, "a", "b") == ["m"]


def test_each_run_of_calls_has_its_own_thoughts() -> None:
    items = [thought("r"), function_call("a"), thought("s"), custom_call("b", "x")]
    assert edited(items, "a") == ["s", "ctc_b"]
    assert edited(items, "b") == ["r", "fc_a"]
    assert edited(items, "a", "b") == []


def test_thoughts_before_words_or_at_the_end_stay() -> None:
    assert edited([thought("r"), said("m", "x"), function_call("a")], "a") == ["r", "m"]
    assert edited([function_call("a"), thought("r")], "a") == ["r"]


@pytest.mark.parametrize("item", [{"type": "web_search_call"}, {"type": ["function_call"]}, {}, said("m", "x")])
def test_what_is_no_call_of_the_client(item: dict[str, Any]) -> None:
    assert not response_items.is_call(item)


def test_a_call_with_nothing_in_it() -> None:
    call = response_items.read_call({"type": "function_call"}, 4)
    assert (call.id, call.name, call.input) == ("function_call_4", "", {})


def test_a_message_has_the_same_id_each_time() -> None:
    assert response_items.message("x", "seed") == response_items.message("x", "seed")
    assert response_items.message("x", "seed")["id"] != response_items.message("y", "seed")["id"]


def test_a_substitute_keeps_the_ids() -> None:
    found = response_items.substituted(custom_call("a", "x"), Substitute("read", {"p": 1}))
    assert found == {
        "type": "function_call",
        "id": "ctc_a",
        "call_id": "a",
        "name": "read",
        "arguments": '{"p":1}',
        "status": "completed",
    }


def test_what_is_thought_and_said() -> None:
    [told] = response_items.read_thought(thought("r", "Hm."), 0)
    assert (told.text, told.kind) == ("Hm.", "thinking")
    assert response_items.read_thought({"type": "message", "content": "odd"}, 0) == ()
    assert response_items.read_usage({"input_tokens": None, "input_tokens_details": 3}) == Usage()
