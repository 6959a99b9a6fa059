from __future__ import annotations

import json
import subprocess

import pytest

from leeboard.clients.scripted_messages import TASK, said, shell_line, task_part, times_spoken, uses


def test_the_shell_makes_the_mark_that_the_line_does_not_have() -> None:
    ran = subprocess.run(("/bin/sh", "-c", shell_line("main")), capture_output=True, text=True, check=True)
    assert ran.stdout == "leeboard-probe-42-main"
    assert ran.stdout not in shell_line("main")


@pytest.mark.parametrize(("words", "part"), [(f"{TASK}agent .", "agent"), ("nothing", ""), (f"{TASK}4 .", "")])
def test_a_sub_agent_knows_its_part(words: str, part: str) -> None:
    assert task_part([{"role": "user", "content": words}]) == part


def test_answers_are_counted() -> None:
    assert times_spoken([{"role": "user"}, {"role": "assistant"}, {}]) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_calls_have_names_of_their_own_whole_or_in_a_stream(*, stream: bool) -> None:
    call = {"name": "bash", "input": {"command": "x"}}
    answer = uses({"stream": stream, "model": "m"}, call, call)
    if stream:
        lines = [line[6:] for line in answer.body.decode().splitlines() if line.startswith("data: ")]
        events = [json.loads(line) for line in lines]
        assert (events[0]["type"], events[-1]["type"]) == ("message_start", "message_stop")
        blocks = [event["content_block"] for event in events if event["type"] == "content_block_start"]
    else:
        blocks = json.loads(answer.body)["content"]
    assert len({block["id"] for block in blocks}) == 2
    assert b"end_turn" in said("done", {"stream": stream}).body
