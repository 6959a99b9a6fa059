"""Each client with our hooks: put in, a limit kept, a correction read by the model, and taken out again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.desk import ROOT, Desk
from tests.e2e.every_client import GEMINI, OPENCODE, OTHERS, OtherClient
from tests.e2e.model_script import Script, say, use
from tests.e2e.scripted_gemini import write_settings

pytestmark = pytest.mark.e2e

TOKEN, THEME, SCHEMA = "src/auth/token.ts", "src/styles/theme.css", "db/schema.sql"
PROMPT = "Fix the auth bug in src/auth/token.ts. Don't modify the schema."


@pytest.mark.parametrize("client", OTHERS, ids=lambda client: client.name)
def test_a_limit_is_kept_a_correction_is_read_and_nothing_is_left_behind(bare_desk: Desk, client: OtherClient) -> None:
    desk, settings = bare_desk, client.path(bare_desk)
    write_settings(desk.home)
    before = settings.read_bytes() if settings.exists() else None
    schema, excluded = desk.read(SCHEMA), desk.read(".git/info/exclude")
    desk.leeboard("init", "--client", client.name, *client.scope, "--quiet")
    code, read = client.run(
        desk,
        PROMPT,
        (
            use(client.read(desk.path(TOKEN)), client.read(desk.path(SCHEMA))),
            use(client.edit(desk.path(TOKEN), "60", "3600")),
            use(client.edit(desk.path(SCHEMA), "users", "people")),
            use(client.edit(desk.path(THEME), "black", "navy")),
            say("Done."),
        ),
    )
    desk.wait_for_resident()
    assert (code, desk.read(SCHEMA)) == (0, schema)
    assert "3600" in desk.read(TOKEN)
    assert "broken_constraint" in read[3]
    assert "broken_constraint" not in read[2]
    assert "scope_drift: src/styles/theme.css" in read[4]
    with desk.store() as store:
        (session,) = store.sessions(str(desk.repo), 5)
    assert session.denied == 1
    assert session.goals[-1].text.strip('"') == PROMPT, "opencode puts what stands on its command line into quotes"
    (status,) = desk.leeboard("status", "--json")
    assert (status["installed"], status["problems"]) == (True, [])
    desk.leeboard("uninstall", *client.scope, "--quiet")
    assert (settings.read_bytes() if settings.exists() else None) == before
    assert desk.read(".git/info/exclude") == excluded


def test_a_limit_set_in_claude_code_holds_where_the_user_goes_on(bare_desk: Desk) -> None:
    desk, client = bare_desk, GEMINI
    write_settings(desk.home)
    desk.leeboard("init", "--quiet")
    desk.leeboard("init", "--client", client.name, *client.scope, "--quiet")
    schema = desk.read(SCHEMA)
    assert desk.run(PROMPT, Script(main=(say("I will."),))).code == 0
    code, read = client.run(
        desk, "Continue.", (use(client.read(desk.path(SCHEMA))), use(client.edit(desk.path(SCHEMA), "users", "people")))
    )
    desk.wait_for_resident()
    assert (code, desk.read(SCHEMA)) == (0, schema)
    assert "DO NOT modify the schema" in read[0]
    assert "broken_constraint" in read[2]


def test_the_opencode_package_beside_the_file_of_init_is_heard_once(bare_desk: Desk) -> None:
    desk, client = bare_desk, OPENCODE
    desk.leeboard("init", "--client", client.name, "--quiet")
    desk.env["PATH"] = f"{Path(sys.executable).parent}:{desk.env['PATH']}"
    desk.write(".opencode/plugins/package.js", (ROOT / "plugins" / "opencode" / "index.js").read_text(encoding="utf-8"))
    schema = desk.read(SCHEMA)
    code, read = client.run(
        desk,
        PROMPT,
        (use(client.read(desk.path(SCHEMA))), use(client.edit(desk.path(SCHEMA), "users", "people")), say("Done.")),
    )
    desk.wait_for_resident()
    assert (code, desk.read(SCHEMA)) == (0, schema)
    assert read[2].count("broken_constraint:") == 1
    with desk.store() as store:
        heard = [receipt.event for receipt in store.receipts(100)]
    assert [heard.count(event) for event in ("chat.message", "tool.execute.before")] == [1, 2]
