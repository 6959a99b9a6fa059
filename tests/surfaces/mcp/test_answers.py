from __future__ import annotations

import json

from leeboard.surfaces.mcp.answers import asked_to, refused, told


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
