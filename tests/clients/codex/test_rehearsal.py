from __future__ import annotations

import json
import tomllib

import pytest

from leeboard.clients.codex import probe
from leeboard.clients.codex.hook_settings import HOOK_EVENTS
from leeboard.clients.codex.rehearsal import PARTS

CALLS = {"input": [{"type": "message", "role": "user"}]}
RESULTS = {"input": [{"type": "function_call_output", "output": "leeboard-probe-42-main"}]}


def items(body: bytes) -> list[dict[str, str]]:
    answer = probe().reply("/v1/responses", {}, body)
    assert answer.content_type == "text/event-stream"
    lines = [json.loads(line[6:]) for line in answer.body.decode().splitlines() if line.startswith("data: ")]
    assert (lines[0]["type"], lines[-1]["type"]) == ("response.created", "response.completed")
    return [line["item"] for line in lines if line["type"] == "response.output_item.done"]


def test_it_makes_its_calls_once_and_ends() -> None:
    calls = items(json.dumps(CALLS).encode())
    assert [json.loads(call["arguments"])["cmd"].split()[1].rpartition("-")[2] for call in calls] == list(PARTS)
    assert len({call["call_id"] for call in calls}) == len(PARTS)
    assert [item["type"] for item in items(json.dumps(RESULTS).encode())] == ["message"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"input": 3}', b'{"input": ["x"]}'])
def test_what_is_no_request_ends_it(body: bytes) -> None:
    assert [item["type"] for item in items(body)] == ["message"]


def test_its_settings_name_the_scripted_model_and_every_hook() -> None:
    files = probe().files("cat > x", "http://127.0.0.1:80/heard")
    settings = tomllib.loads(files["home/.codex/config.toml"])
    assert settings["model_providers"]["scripted"]["base_url"] == "http://127.0.0.1:80/v1"
    assert settings["model_providers"]["scripted"]["env_key"] in probe().variables("")
    assert tuple(json.loads(files["home/.codex/hooks.json"])["hooks"]) == HOOK_EVENTS
    assert probe().line("codex")[:2] == ("codex", "exec")
    assert probe().reply("/v1/models", {}, b"").content_type == "application/json"
