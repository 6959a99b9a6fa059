"""The real opencode behind the proxy: the same run where all is well, and no call that must not run."""

from __future__ import annotations

import json
import os
import subprocess

import msgspec
import pytest

from tests.e2e.client import LIMIT
from tests.e2e.desk import PROXY, ROOT, Desk
from tests.e2e.model_script import JSON, Reply, Script, Use, say, use
from tests.e2e.scripted_api import Request, serving

pytestmark = pytest.mark.e2e

OPENCODE = os.environ.get("LEEBOARD_E2E_OPENCODE", "")
PROMPT = "Fix add() in app.py. Don't modify the schema."
_MODEL = {"name": "scripted", "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}


class OpencodeRun(msgspec.Struct, frozen=True, kw_only=True):
    code: int
    output: list[JSON]
    requests: list[Request]

    @property
    def parts(self) -> list[JSON]:
        """What it said and did."""
        return [told["part"] for told in self.output if told.get("type") in {"text", "tool_use"}]

    @property
    def words(self) -> list[str]:
        return [part["text"] for part in self.parts if part["type"] == "text"]

    @property
    def calls(self) -> list[tuple[str, JSON]]:
        return [(part["tool"], part["state"]["input"]) for part in self.parts if part["type"] == "tool"]


def run(desk: Desk, *replies: Reply, proxy: bool = False) -> OpencodeRun:
    assert OPENCODE, "LEEBOARD_E2E_OPENCODE names no client: run `make e2e`"
    off = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    env = {**desk.env, **{f"OPENCODE_DISABLE_{name}": "1" for name in off}, "npm_config_registry": "http://127.0.0.1:1"}
    with serving(Script(main=replies)) as (api, address):
        provider = {"options": {"baseURL": f"{address}/v1", "apiKey": "fake"}, "models": {"claude-scripted": _MODEL}}
        model = {"model": "anthropic/claude-scripted", "small_model": "anthropic/claude-scripted"}
        settings = {"autoupdate": False, "share": "disabled", "provider": {"anthropic": provider}, **model}
        desk.write("opencode.json", json.dumps(settings))
        line = (*(PROXY if proxy else ()), OPENCODE, "run", "--format", "json", "--auto", PROMPT)
        done = subprocess.run(
            line,
            cwd=desk.repo,
            env={**env, **({"PYTHONPATH": str(ROOT)} if proxy else {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    output = [json.loads(told) for told in done.stdout.splitlines() if told.startswith(b"{")]
    return OpencodeRun(code=done.returncode, output=output, requests=api.requests)


def edit(path: str, old: str, new: str) -> Use:
    return Use("edit", {"filePath": path, "oldString": old, "newString": new})


def read(path: str) -> Use:
    return Use("read", {"filePath": path})


def test_an_allowed_run_is_the_same_with_and_without_the_proxy(bare_desk: Desk) -> None:
    app = bare_desk.path("app.py")
    replies = (use(read(app)), use(edit(app, "a - b", "a + b")), say("add() adds now."))
    direct = run(bare_desk, *replies)
    assert "a + b" in bare_desk.read("app.py")
    bare_desk.write("app.py", "def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n")
    carried = run(bare_desk, *replies, proxy=True)
    assert "a + b" in bare_desk.read("app.py")
    assert direct.words == ["add() adds now."]
    assert (carried.code, carried.words, carried.calls) == (direct.code, direct.words, direct.calls)
    main = [[request for request in each.requests if request.kind == "main"] for each in (direct, carried)]
    assert [len(request.body["messages"]) for request in main[1]] == [
        len(request.body["messages"]) for request in main[0]
    ]
    assert [request.our_words for request in main[1]] == [[]] * len(main[0])


def test_a_blocked_call_never_reaches_the_client_and_the_conversation_goes_on(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    carried = run(
        desk,
        use(read(schema), read(app)),
        use(edit(schema, "users", "people"), edit(app, "a - b", "a + b")),
        say("add() adds now."),
        proxy=True,
    )
    assert desk.read("db/schema.sql") == before
    assert "a + b" in desk.read("app.py")
    assert [told["filePath"] for name, told in carried.calls if name == "edit"] == [app]
    main = [request for request in carried.requests if request.kind == "main"]
    assert "broken_constraint" in main[2].text
    assert (carried.code, carried.words) == (0, ["add() adds now."])
