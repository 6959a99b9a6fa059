from __future__ import annotations

import json

from leeboard.clients.call import ClientProbe
from leeboard.clients.copilot import CLIENT
from leeboard.clients.copilot.hook_settings import HOOK_EVENTS
from leeboard.clients.scripted_messages import ASKED


def script() -> ClientProbe:
    found = CLIENT.probe()
    assert found is not None
    return found


def test_it_is_offline_and_speaks_to_the_scripted_model_alone() -> None:
    told = script().variables("http://127.0.0.1:80")
    assert (told["COPILOT_OFFLINE"], told["COPILOT_PROVIDER_BASE_URL"]) == ("true", "http://127.0.0.1:80")
    assert script().line("copilot")[:3] == ("copilot", "-p", ASKED)


def test_every_hook_writes_down_what_it_hears() -> None:
    (text,) = script().files("cat", "").values()
    assert tuple(json.loads(text)["hooks"]) == HOOK_EVENTS


def test_its_sub_agent_is_started_by_a_task() -> None:
    spoke = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "x"}]
    body = json.dumps({"messages": spoke, "tools": [{}]}).encode()
    (call,) = json.loads(script().reply("/v1/messages", {}, body).body)["content"]
    assert (call["name"], call["input"]["mode"]) == ("task", "sync")
