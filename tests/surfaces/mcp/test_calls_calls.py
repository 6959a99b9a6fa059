from __future__ import annotations

import json
import queue
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from leeboard.surfaces.mcp.calls import MOST, McpCall, McpCalls
from leeboard.surfaces.mcp.protocol import Channel, ClientGoneError, McpRequest


class Waiting:
    """A tool that waits until it is ended, one that fails, and one that finds its client gone."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)

    def listed(self) -> list[dict[str, Any]]:
        return []

    def knows(self, name: str) -> bool:
        return name in {"wait", "break", "gone"}

    def run(self, name: str, _arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        self.begun.release()
        if name == "break":
            raise ValueError("secret words")
        if name == "gone":
            raise ClientGoneError
        while call.wait(60):
            pass
        return {"called_off": call.called_off}


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


@pytest.fixture
def calls(waiting: Waiting) -> McpCalls:
    return McpCalls(Channel(-1, -1), waiting)


def request(key: int | str, name: str = "wait") -> McpRequest:
    return McpRequest(key, "tools/call", {"name": name})


def test_a_call_that_was_called_off_is_not_answered(calls: McpCalls, waiting: Waiting) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    calls.start(request(1), answers.put)
    waiting.begun.acquire()
    calls.cancel("1")
    calls.cancel(None)
    calls.cancel(1)
    assert answers.get(timeout=30) is None


def test_who_waits_is_answered_at_the_end(calls: McpCalls, waiting: Waiting) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    calls.start(request("a"), answers.put)
    waiting.begun.acquire()
    assert calls.finish(30)
    assert answers.get(timeout=30)["result"] == {"called_off": False}


def test_a_fault_is_an_answer_and_its_words_stay_here(calls: McpCalls, capsys: pytest.CaptureFixture[str]) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    calls.start(request(1, "break"), answers.put)
    answer = answers.get(timeout=30)["result"]
    assert answer["isError"] is True
    assert json.loads(answer["content"][0]["text"])["code"] == "internal_error"
    assert "secret" not in json.dumps(answer)
    assert capsys.readouterr().err == "leeboard mcp: break: ValueError: secret words\n"


def test_a_client_that_has_gone_gets_no_answer(calls: McpCalls) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    calls.start(request(1, "gone"), answers.put)
    assert calls.finish(30)
    assert answers.empty()


def test_unknown_tools_and_used_ids_are_refused(calls: McpCalls, waiting: Waiting) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    calls.start(request(1, "nonsense"), answers.put)
    assert answers.get(timeout=30)["error"]["code"] == -32602
    assert calls.finish(30)
    calls.start(request(1), answers.put)
    waiting.begun.acquire()
    calls.start(request(1), answers.put)
    assert answers.get(timeout=30)["error"]["message"] == "a request with this id is under way"
    assert calls.finish(30)


def test_there_is_an_end_to_how_many_calls_run(calls: McpCalls) -> None:
    answers: queue.Queue[Any] = queue.Queue()
    for number in range(MOST):
        calls.start(request(number), lambda _answer: None)
    calls.start(request("more"), answers.put)
    assert answers.get(timeout=30)["error"]["message"] == f"{MOST} calls are under way: wait for one of them"
    assert calls.finish(30)
