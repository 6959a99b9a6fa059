from __future__ import annotations

from leeboard.clients.transcript_memory import Base, Echoes, OpenCalls, PromptKeys, Recent, SeenKeys, Sidechains, Turns
from leeboard.model.event import ToolCall, TurnEnded


def base(agent: str = "") -> Base:
    return {"session": "s", "agent": agent, "cwd": "", "time": 0.0, "source": "transcript"}


def test_the_oldest_entry_is_dropped() -> None:
    recent: Recent[int] = Recent(2)
    for number, key in enumerate("abc"):
        recent.put(key, number)
    assert [recent.get(key) for key in "abc"] == [None, 1, 2]


def test_open_calls_are_bounded() -> None:
    calls = OpenCalls()
    for number in range(5_000):
        calls.put(ToolCall(id=str(number), tool="Bash", action="bash"), "m")
    assert len(calls) == 4_096
    assert calls.take("0")[0].tool == ""
    assert calls.take("4999") == (ToolCall(id="4999", tool="Bash", action="bash"), "m")
    assert len(calls) == 4_095


def test_seen_keys_are_bounded_and_the_empty_key_is_always_new() -> None:
    seen = SeenKeys()
    assert [seen.is_new(key) for key in ("a", "a", "", "")] == [True, False, True, True]
    for number in range(70_000):
        seen.is_new(f"k{number}")
    assert len(seen._keys) == 65_536
    assert seen.is_new("a")


def test_prompt_keys() -> None:
    keys = PromptKeys()
    assert keys.key_of("p", "u1", "words") == "prompt:p"
    assert keys.key_of("p", "u2", "words") is None
    assert keys.key_of("p", "u3", "other") == "prompt:u3"
    assert keys.key_of("p", "u3", "other") is None
    assert keys.key_of("", "", "words") == ""


def test_the_same_words_by_two_ways_are_one_but_twice_by_each_are_two() -> None:
    echoes = Echoes()
    ways = ("item", "event", "item", "item", "event", "event", "event", "item")
    assert [echoes.is_first(way, "go on") for way in ways] == [True, False, True, True, False, False, True, False]


def test_turns_of_two_agents_do_not_end_each_other() -> None:
    turns = Turns()
    assert turns.begin(base(), "m1") == []
    assert turns.begin(base("a"), "m2") == []
    turns.add_call("", "m1", "t1")
    turns.add_call("a", "m2", "t2")
    assert turns.begin(base(), "m3") == [TurnEnded(**base(), message="m1", calls=("t1",))]
    assert [(event.agent, event.message) for event in turns.end_all()] == [("a", "m2"), ("", "m3")]


def test_a_message_that_comes_back_opens_no_second_turn() -> None:
    turns = Turns()
    turns.begin(base(), "m1")
    turns.begin(base(), "m2")
    assert turns.begin(base(), "m1") == []
    assert [event.message for event in turns.end_all()] == ["m2"]


def test_a_chain_whose_middle_is_missing_goes_to_the_latest_sub_agent() -> None:
    chains = Sidechains()
    assert chains.name("a0", "", starts=True) == "sidechain-a0"
    assert chains.name("a5", "a4", starts=False) == "sidechain-a0"
    assert chains.name("b0", "unknown", starts=True) == "sidechain-b0"
    assert chains.name("a6", "a5", starts=False) == "sidechain-a0"
