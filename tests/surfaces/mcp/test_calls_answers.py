from __future__ import annotations

import json

import pytest

from leeboard.surfaces.mcp.calls import asked_to, refused, told, tool_in


def test_an_action_is_json_and_below_a_line_its_words() -> None:
    answer = asked_to({"action": "elaborate", "message": "Grüße\n---\n"}, "Do it.")
    program, words = answer["content"][0]["text"].rsplit("\n---\n", 1)
    assert json.loads(program) == {"action": "elaborate", "message": "Grüße\n---\n"}
    assert words == "Do it."
    assert answer["isError"] is False


def test_a_refusal_says_why_and_what_instead() -> None:
    answer = refused("unit_not_found", "There is none.", "haiku_unit_list", units=["unit-01-x"])
    assert answer["isError"] is True
    assert json.loads(answer["content"][0]["text"]) == {
        "code": "unit_not_found",
        "message": "There is none.",
        "next": "haiku_unit_list",
        "units": ["unit-01-x"],
    }


def test_what_was_asked_for_is_json_alone() -> None:
    answer = told({"x": 1})
    assert json.loads(answer["content"][0]["text"]) == {"x": 1}
    assert answer["isError"] is False


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("Give the reason.", "haiku_run_next"),
        ("Take it out with haiku_intent_unarchive first.", "haiku_intent_unarchive"),
        ("Call `haiku_unit_list`, then haiku_run_next.", "haiku_unit_list"),
        ("", "haiku_run_next"),
    ],
)
def test_a_program_is_given_a_tool_and_no_sentence(words: str, tool: str) -> None:
    assert tool_in(words) == tool
