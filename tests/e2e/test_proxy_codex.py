"""The real Codex behind the proxy: the same run where all is well, and no call that must not run."""

from __future__ import annotations

import json
import re

import pytest

from tests.e2e.desk import PROXY, ROOT, Desk
from tests.e2e.model_script import Reply, Script, Use, say, use
from tests.e2e.scripted_responses import CODEX, CodexRun, run_codex

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."
_CHANGING = re.compile(r"(?:call|fc|msg)_[0-9a-f-]+|[0-9a-f]{8}-[0-9a-f-]{27}|Wall time: [0-9.]+|Chunk ID: \w+")


def run(desk: Desk, *replies: Reply, proxy: bool = False) -> CodexRun:
    assert CODEX, "LEEBOARD_E2E_CODEX names no client: run `make e2e`"
    env = {**desk.env, **({"PYTHONPATH": str(ROOT)} if proxy else {})}
    return run_codex(PROMPT, Script(main=replies), str(desk.repo), env, PROXY if proxy else ())


def shell(line: str) -> Use:
    return Use("exec_command", {"cmd": line})


ALLOWED = (
    use(shell("cat app.py"), text="I look first."),
    use(shell("sed -i 's/a - b/a + b/' app.py")),
    say("add() adds now."),
)


def test_an_allowed_run_is_the_same_with_and_without_the_proxy(bare_desk: Desk) -> None:
    direct = run(bare_desk, *ALLOWED)
    assert "a + b" in bare_desk.read("app.py")
    bare_desk.write("app.py", "def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n")
    carried = run(bare_desk, *ALLOWED, proxy=True)
    assert "a + b" in bare_desk.read("app.py")
    assert (carried.code, carried.messages, carried.commands) == (direct.code, direct.messages, direct.commands)
    assert direct.messages == ["I look first.", "add() adds now."]
    asked = [
        [_CHANGING.sub("*", json.dumps(request["input"])) for request in each.requests] for each in (direct, carried)
    ]
    assert asked[1] == asked[0]


def test_a_blocked_call_never_reaches_the_client_and_the_conversation_goes_on(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    before = desk.read("db/schema.sql")
    carried = run(
        desk,
        use(shell("cat app.py"), shell("cat db/schema.sql")),
        use(shell("sed -i s/users/people/ db/schema.sql"), shell("sed -i 's/a - b/a + b/' app.py")),
        say("add() adds now."),
        proxy=True,
    )
    assert desk.read("db/schema.sql") == before
    assert "a + b" in desk.read("app.py")
    assert not any("people" in command for command in carried.commands)
    assert "broken_constraint" in json.dumps(carried.requests[2]["input"])
    assert (carried.code, carried.messages) == (0, ["add() adds now."])
