from __future__ import annotations

import json

import pytest

from leeboard.clients.call import ClientProbe
from leeboard.clients.opencode import CLIENT
from leeboard.clients.opencode.hook_settings import read_state
from leeboard.clients.scripted_messages import ASKED, TASK, shell_line

TOOLS = [{"name": "bash"}]
PROMPT = {"role": "user", "content": ASKED}
SPOKE = {"role": "assistant", "content": "x"}


def script() -> ClientProbe:
    found = CLIENT.probe()
    assert found is not None
    return found


def calls(*messages: object, tools: object = TOOLS) -> list[dict[str, object]]:
    body = json.dumps({"messages": messages, "tools": tools}).encode()
    answer = json.loads(script().reply("/v1/messages", {}, body).body)
    return [block for block in answer["content"] if block["type"] == "tool_use"]


def test_it_makes_two_calls_then_starts_a_sub_agent_and_ends() -> None:
    main, parallel = calls(PROMPT)
    assert main["input"] == {"command": shell_line("main"), "description": "a rehearsed call"}
    assert main["id"] != parallel["id"]
    (task,) = calls(PROMPT, SPOKE)
    assert task["name"] == "task"
    assert calls(PROMPT, SPOKE, SPOKE) == []


def test_the_sub_agent_makes_the_call_it_was_told_once() -> None:
    told = {"role": "user", "content": f"{TASK}agent ."}
    (made,) = calls(told)
    assert shell_line("agent") in str(made["input"])
    assert calls(told, SPOKE) == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"messages": 3, "tools": [1]}', b'{"messages": ["x"], "tools": [1]}']
)
def test_what_is_no_request_ends_it(body: bytes) -> None:
    assert b"tool_use" not in script().reply("/v1/messages", {}, body).body


def test_no_tools_no_calls() -> None:
    assert calls(PROMPT, tools=[]) == []
    assert json.loads(script().reply("/v1/models", {}, b"").body)["data"] == []


def test_its_settings_name_the_scripted_model_and_its_plugin_the_line() -> None:
    files = script().files("python3 /x/leeboard/surfaces/hook.py", "http://127.0.0.1:80/heard")
    settings = json.loads(files["repo/opencode.json"])
    assert settings["provider"]["anthropic"]["options"]["baseURL"] == "http://127.0.0.1:80/v1"
    assert read_state(files["home/.config/opencode/plugins/leeboard.js"]).hooks
    assert script().line("opencode")[:2] == ("opencode", "run")
    assert script().variables("")["OPENCODE_DISABLE_AUTOUPDATE"] == "1"
