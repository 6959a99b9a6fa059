"""Turns of the three APIs, and the places between them."""

from __future__ import annotations

from leeboard.wire.conversation import Turn, key_of, places, read_turns
from leeboard.wire.seam import CallResult


def answered(*ids: str) -> Turn:
    return Turn("user", (), tuple(CallResult(call, "ok") for call in ids))


def test_answers_to_calls_name_their_place_and_words_have_a_digest() -> None:
    turns = [Turn("user", ("go",)), Turn("model"), answered("a", "b"), Turn("other", ("note",))]
    first, second = places(turns)
    assert (first.turn, second.turn) == (0, 2)
    assert second.names == ("a", "b")
    assert first.names == (key_of(turns[0], ""),)


def test_answers_that_follow_each_other_share_a_place() -> None:
    [place] = places([Turn("model"), answered("a"), answered("b")])
    assert place.names == ("a", "b")
    assert place.turn == 2
    assert [place.names for place in places([answered("a"), Turn("model"), answered("b")])] == [("a",), ("b",)]


def test_reminders_do_not_count_where_something_else_is_said() -> None:
    reminded = Turn("user", ("<system-reminder>\nnew\n</system-reminder>", "go"))
    assert key_of(reminded, "t") == key_of(Turn("user", ("go",)), "t")
    assert key_of(reminded, "t") != key_of(reminded, "u")


def test_items_of_responses() -> None:
    items = [
        {"role": "user", "content": "go"},
        {"type": "reasoning", "id": "r"},
        {"type": "custom_tool_call", "call_id": "c", "input": "x"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "done"}]},
        {"type": "local_shell_call_output", "call_id": "d", "output": {"content": "old form"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "So."}]},
        7,
    ]
    turns = read_turns("responses", {"input": items})
    assert [turn.role for turn in turns] == ["user", "model", "model", "other", "other", "model", "other"]
    assert turns[3].results == (CallResult("c", "done"),)
    assert turns[4].results == (CallResult("d", "old form"),)
    assert read_turns("responses", {"input": "go"}) == [Turn("user", ("go",))]
    assert read_turns("responses", {}) == []


def test_messages_of_a_system_role_are_nobody_s_turn() -> None:
    turns = read_turns("anthropic", {"messages": [{"role": "system", "content": "note"}, {"role": "user"}, None]})
    assert [turn.role for turn in turns] == ["other", "other", "other"]
    assert places(turns) == []


def test_a_long_result_is_cut() -> None:
    block = {"type": "tool_result", "tool_use_id": "a", "content": "x" * 50_000, "is_error": True}
    [turn] = read_turns("anthropic", {"messages": [{"role": "user", "content": [block]}]})
    assert len(turn.results[0].text) == 20_000
    assert turn.results[0].is_error


def test_the_old_form_of_results_in_chat() -> None:
    [turn] = read_turns("chat", {"messages": [{"role": "function", "name": "bash", "content": "ok"}]})
    assert turn.results == (CallResult("bash", "ok"),)
