from __future__ import annotations

import json
from typing import Any

import pytest

from leeboard.clients.call import ClientProbe
from leeboard.clients.gemini_cli import CLIENT
from leeboard.clients.gemini_cli.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import shell_line

TURN = "/v1beta/models/m:streamGenerateContent?alt=sse"
PROMPT = {"role": "user", "parts": [{"text": "go"}]}
RESULT = {"role": "user", "parts": [{"functionResponse": {"name": "run_shell_command"}}]}


def script() -> ClientProbe:
    found = CLIENT.probe()
    assert found is not None
    return found


def parts(body: bytes) -> list[dict[str, Any]]:
    answer = script().reply(TURN, {}, body)
    assert answer.content_type == "text/event-stream"
    told = json.loads(answer.body.removeprefix(b"data: "))
    found: list[dict[str, Any]] = told["candidates"][0]["content"]["parts"]
    return found


def request(*contents: object) -> bytes:
    return json.dumps({"contents": contents, "tools": [{}]}).encode()


def test_it_makes_its_calls_once_and_ends() -> None:
    lines = [part["functionCall"]["args"]["command"] for part in parts(request(PROMPT))]
    assert lines == [shell_line("main"), shell_line("parallel")]
    assert parts(request(PROMPT, RESULT)) == [{"text": "done"}]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"contents": 3}', b'{"contents": ["x"], "tools": [1]}'])
def test_what_is_no_request_ends_it(body: bytes) -> None:
    assert parts(body) == [{"text": "done"}]


def test_what_it_asks_beside_its_turns_is_answered() -> None:
    routed = json.loads(script().reply("/v1beta/models/m:generateContent", {}, request(PROMPT)).body)
    assert "model_choice" in routed["candidates"][0]["content"]["parts"][0]["text"]
    assert json.loads(script().reply("/v1beta/models/m:countTokens", {}, b"").body)["totalTokens"]


def test_its_settings_have_every_hook_and_its_variables_the_model() -> None:
    settings = json.loads(script().files("cat", "")["home/.gemini/settings.json"])
    assert tuple(settings["hooks"]) == HOOK_EVENTS
    assert script().variables("http://127.0.0.1:80")["GOOGLE_GEMINI_BASE_URL"] == "http://127.0.0.1:80"
    assert script().line("gemini")[:2] == ("gemini", "-p")
