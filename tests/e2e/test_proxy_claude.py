"""The real Claude Code behind the proxy: the same run where all is well, and no call that must not run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.client import Run, client_env, converse
from tests.e2e.desk import PROXY, ROOT, Desk
from tests.e2e.model_script import Script, bash, edit, read, say, use
from tests.e2e.scripted_api import serving

pytestmark = pytest.mark.e2e

PROMPT = "Fix add() in app.py. Don't modify the schema."


def allowed(desk: Desk) -> Script:
    """One call at a time: the order of results that come at the same time is nobody's promise."""
    app = desk.path("app.py")
    return Script(
        main=(
            use(read(app), text="I look first.", thinking="Where does it go wrong?"),
            use(read(desk.path("README.md"))),
            use(edit(app, "a - b", "a + b")),
            use(bash("python3 app.py")),
            say("add() adds now."),
        )
    )


def told(run: Run) -> list[tuple[str, object]]:
    """What the client printed, without the names and times that differ from run to run."""
    return [(str(each.get("type")), each.get("message", {}).get("content")) for each in run.output if "message" in each]


def without_ids(value: object) -> object:
    """The same with the ids of calls left out: the scripted model gives new ones in each run."""
    if isinstance(value, dict):
        return {key: without_ids(each) for key, each in value.items() if key not in {"id", "tool_use_id", "signature"}}
    return [without_ids(each) for each in value] if isinstance(value, list | tuple) else value


def test_an_allowed_run_is_the_same_with_and_without_the_proxy(bare_desk: Desk) -> None:
    direct = bare_desk.run(PROMPT, allowed(bare_desk))
    assert "a + b" in bare_desk.read("app.py")
    bare_desk.write("app.py", "def add(a, b):\n    return a - b\n\n\nprint(add(1, 2))\n")
    carried = bare_desk.run(PROMPT, allowed(bare_desk), behind_proxy=True)
    assert "a + b" in bare_desk.read("app.py")
    assert (carried.code, carried.result) == (direct.code, direct.result) == (0, "add() adds now.")
    assert without_ids(told(carried)) == without_ids(told(direct))
    bodies = [[request.body["messages"] for request in run.main] for run in (direct, carried)]
    assert without_ids(bodies[1]) == without_ids(bodies[0])


def test_without_hooks_a_blocked_call_never_reaches_the_client_and_the_conversation_goes_on(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    script = Script(
        main=(
            use(read(schema), read(app)),
            use(edit(schema, "users", "people"), edit(app, "a - b", "a + b")),
            say("add() adds now."),
        )
    )
    run = desk.run(PROMPT, script, behind_proxy=True)
    assert desk.read("db/schema.sql") == before
    assert "a + b" in desk.read("app.py")
    heard = [part for _, content in told(run) if isinstance(content, list) for part in content]
    edited = [part["input"]["file_path"] for part in heard if part.get("name") == "Edit"]
    assert edited == [app], "the client never heard of the other call"
    shown = [part for part in run.main[2].body["messages"][-2]["content"] if part["type"] == "tool_use"]
    assert [part["input"]["file_path"] for part in shown] == [schema, app], "the model is shown its own"
    assert "broken_constraint" in run.main[2].text
    assert (run.code, run.result) == (0, "add() adds now.")


def test_with_hooks_the_proxy_only_senses_and_the_hook_refuses(desk: Desk) -> None:
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, app, before = desk.path("db/schema.sql"), desk.path("app.py"), desk.read("db/schema.sql")
    script = Script(
        main=(
            use(read(schema), read(app)),
            use(edit(schema, "users", "people")),
            use(edit(app, "a - b", "a + b")),
            say("add() adds now."),
        )
    )
    run = desk.run(PROMPT, script, behind_proxy=True)
    assert desk.read("db/schema.sql") == before
    (refused,) = run.main[2].results
    assert refused["is_error"] is True
    assert "broken_constraint" in refused["content"]
    assert "a + b" in desk.read("app.py")
    assert (run.code, desk.session(run.session).denied) == (0, 1)


def test_a_base_url_in_the_clients_settings_does_not_lead_past_the_proxy(bare_desk: Desk) -> None:
    desk = bare_desk
    desk.env["LEEBOARD_PROFILE"] = "enforce"
    schema, before = desk.path("db/schema.sql"), desk.read("db/schema.sql")
    with serving(Script(main=(use(read(schema)), use(edit(schema, "users", "people")), say("Done.")))) as (
        api,
        address,
    ):
        settings = Path(desk.env["HOME"], ".claude", "settings.json")
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps({"env": {"ANTHROPIC_BASE_URL": address}}), encoding="utf-8")
        env = {**desk.env, **client_env("http://127.0.0.1:1"), "PYTHONPATH": str(ROOT)}
        code, _ = converse((PROMPT,), (), str(desk.repo), env, PROXY)
    assert (code, desk.read("db/schema.sql")) == (0, before)
    assert len(api.requests) >= 2


def test_a_proxy_that_is_killed_in_the_middle_does_not_freeze_the_agent(bare_desk: Desk) -> None:
    app = bare_desk.path("app.py")
    killed = (
        "for p in $(pgrep -f '[l]eeboard.surfaces.proxy.process.*" + str(bare_desk.repo) + "'); do kill -9 $p; done"
    )
    script = Script(main=(use(read(app)), use(bash(killed)), use(edit(app, "a - b", "a + b")), say("add() adds now.")))
    run = bare_desk.run(PROMPT, script, behind_proxy=True)
    assert (run.code, run.result) == (0, "add() adds now.")
    assert "a + b" in bare_desk.read("app.py")


def test_a_repository_does_not_say_where_the_clients_credentials_go(bare_desk: Desk) -> None:
    desk = bare_desk
    with serving(Script(main=(say("Hello."),))) as (api, address), serving(Script(main=())) as (stranger, elsewhere):
        desk.write(".claude/settings.json", json.dumps({"env": {"ANTHROPIC_BASE_URL": elsewhere}}))
        env = {**desk.env, **client_env(address), "PYTHONPATH": str(ROOT)}
        code, _ = converse((PROMPT,), (), str(desk.repo), env, PROXY)
    assert code == 0
    assert api.requests
    assert stranger.requests == []
