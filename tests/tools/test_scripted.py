from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from tools.scripted import parse, transcript

SCRIPT = """\
# a comment
@ fix the total
  it is off by one
? look first
~ I'll look.
read src/total.py
  def total(xs):

      return sum(xs) + 1
& grep total
  src/total.py
edit src/total.py
  - return sum(xs) + 1
  + return sum(xs)
$! pytest -q
  1 failed
$ cat > /tmp/x.py <<'EOF'
  | print(1)
  | EOF
edit src/other.py
  - a
  + b
deny not that file
interrupt
/review src
todo one; two
agent Explore: find the callers
  grep total :: src
    src/app.py:3:from src.total import total
  ~ Only app.py calls it.
compact auto
  We fixed the total.
~ Done.
"""


def records(text: str = SCRIPT) -> list[dict[str, Any]]:
    return [json.loads(line) for line in transcript(text, session="shop-total", repo="shop").splitlines()]


def uses(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    blocks = [block for record in found if record["type"] == "assistant" for block in record["message"]["content"]]
    return [block for block in blocks if block["type"] == "tool_use"]


def result_of(found: list[dict[str, Any]], name: str, nth: int = 0) -> dict[str, Any]:
    use = [one for one in uses(found) if one["name"] == name][nth]
    answers = [one for one in found if one["type"] == "user" and isinstance(one["message"]["content"], list)]
    return next(one for one in answers if one["message"]["content"][0].get("tool_use_id") == use["id"])


def test_the_same_script_gives_the_same_bytes() -> None:
    assert transcript(SCRIPT, session="s", repo="r") == transcript(SCRIPT, session="s", repo="r")
    assert transcript(SCRIPT, session="s", repo="r") != transcript(SCRIPT, session="t", repo="r")


def test_every_record_hangs_on_the_one_before() -> None:
    main = [one for one in records() if "uuid" in one and not one["isSidechain"]]
    for before, after in itertools.pairwise(main):
        expected = None if after.get("subtype") == "compact_boundary" else before["uuid"]
        assert after["parentUuid"] == expected


def test_words_and_calls_before_the_next_result_are_one_message() -> None:
    said = [one for one in records() if one["type"] == "assistant" and not one["isSidechain"]]
    first = [one for one in said if one["message"]["id"] == said[0]["message"]["id"]]
    assert [one["message"]["content"][0]["type"] for one in first] == ["thinking", "text", "tool_use", "tool_use"]
    assert [one["apiBlockIndex"] for one in first] == [0, 1, 2, 3]
    assert {one["message"]["stop_reason"] for one in first} == {"tool_use"}
    assert said[-1]["message"]["stop_reason"] == "end_turn"


def test_each_call_has_exactly_one_result() -> None:
    found = records()
    answered = [
        block["tool_use_id"]
        for one in found
        if one["type"] == "user" and isinstance(one["message"]["content"], list)
        for block in one["message"]["content"]
        if block["type"] == "tool_result"
    ]
    assert sorted(answered) == sorted(use["id"] for use in uses(found))


def test_results_have_the_client_shapes() -> None:
    found = records()
    assert result_of(found, "Read")["toolUseResult"]["file"]["content"] == "def total(xs):\n\n    return sum(xs) + 1"
    assert result_of(found, "Read")["message"]["content"][0]["content"].startswith("1\tdef total(xs):\n2\t\n3\t")
    assert "return sum(xs) + 1" in result_of(found, "Edit")["toolUseResult"]["originalFile"]
    assert result_of(found, "Bash")["toolUseResult"] == "Error: Exit code 1\n1 failed"
    assert result_of(found, "Edit", 1)["toolDenialKind"] == "user-rejected"
    assert "not that file" in result_of(found, "Edit", 1)["message"]["content"][0]["content"]
    assert result_of(found, "Agent")["toolUseResult"]["content"][0]["text"] == "Only app.py calls it."


def test_a_shell_body_is_split_into_command_and_output() -> None:
    heredoc = [use for use in uses(records()) if use["name"] == "Bash"][1]
    assert heredoc["input"]["command"] == "cat > /tmp/x.py <<'EOF'\nprint(1)\nEOF"


def test_paths_are_those_of_the_work_tree_or_home() -> None:
    found = uses(records("@ x\nread a.py\n  1\nwrite ~/.claude/plans/p.md\n  plan\nwrite /tmp/y\n  1\n"))
    paths = [use["input"]["file_path"] for use in found]
    assert paths == ["/home/dev/shop/a.py", "/home/dev/.claude/plans/p.md", "/tmp/y"]


def test_an_edit_of_an_unread_file_is_read_first_unless_the_client_does_not_demand_it() -> None:
    script = "@ x\n~ both\nedit a.py\n  - 1\n  + 2\n& edit b.py\n  - 1\n  + 2\nedit a.py\n  - 2\n  + 3\n"
    assert [use["name"] for use in uses(records(script))] == ["Read", "Edit", "Read", "Edit", "Edit"]
    free = transcript(script, session="s", repo="r", forced_reads=False).splitlines()
    assert [use["name"] for use in uses([json.loads(line) for line in free])] == ["Edit", "Edit", "Edit"]


def test_sub_agent_steps_are_a_side_chain_of_their_own() -> None:
    side = [one for one in records() if one.get("isSidechain")]
    assert side[0]["parentUuid"] is None
    assert side[0]["message"]["content"] == "find the callers"
    assert len({one["agentId"] for one in side}) == 1


def test_times_never_run_backwards() -> None:
    stamps = [one["timestamp"] for one in records() if "timestamp" in one]
    assert stamps == sorted(stamps)


@pytest.mark.parametrize("text", ["launch the rocket", "@ x\ndeny", "Read a.py"])
def test_a_line_that_is_no_step_is_named(text: str) -> None:
    with pytest.raises(WireError, match="line"):
        transcript(text, session="s", repo="r")


@given(st.text())
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        steps = parse(text)
    except WireError:
        return
    assert all(step.verb for step in steps)
