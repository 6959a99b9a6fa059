from __future__ import annotations

import json
import os

import pytest

from leeboard.surfaces.mcp.protocol import BatchReply, Channel, Reply


def sent(read: int, write: int) -> list[object]:
    os.close(write)
    with open(read, "rb") as stream:
        return [json.loads(line) for line in stream]


def test_an_answer_goes_out_at_once_and_none_is_none() -> None:
    read, write = os.pipe()
    reply = Reply(Channel(-1, write))
    reply(None)
    reply({"id": 1})
    assert sent(read, write) == [{"id": 1}]


@pytest.mark.parametrize(
    ("answers", "lines"),
    [
        ([{"id": 1}, {"id": 2}], [[{"id": 1}, {"id": 2}]]),
        ([{"id": 1}, None], [[{"id": 1}]]),
        ([None, None], []),
        ([{"id": 1}], []),
    ],
)
def test_a_batch_is_answered_when_all_of_it_is(answers: list[dict[str, int] | None], lines: list[object]) -> None:
    read, write = os.pipe()
    reply = BatchReply(Channel(-1, write), 2)
    for answer in answers:
        reply(answer)
    assert sent(read, write) == lines
