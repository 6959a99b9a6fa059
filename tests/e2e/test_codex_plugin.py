"""The plugin in the real Codex: installed from a local marketplace, heard, and heard once beside `init`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.desk import ROOT, Desk
from tests.e2e.every_client import CODEX
from tests.e2e.model_script import say, use
from tests.e2e.scripted_responses import CODEX as PROGRAM

pytestmark = pytest.mark.e2e

TOKEN, SCHEMA = "src/auth/token.ts", "db/schema.sql"


def plugin(desk: Desk, *words: str) -> str:
    line = (PROGRAM, "plugin", *words)
    done = subprocess.run(line, cwd=desk.repo, env=desk.env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("beside_init", [False, True])
def test_installed_from_a_marketplace_it_is_heard_once(bare_desk: Desk, *, beside_init: bool) -> None:
    desk = bare_desk
    desk.env["PATH"] = f"{Path(sys.executable).parent}:{desk.env['PATH']}"
    if beside_init:
        desk.leeboard("init", "--client", "codex", "--user", "--quiet")
    plugin(desk, "marketplace", "add", str(ROOT))
    plugin(desk, "add", "leeboard@leeboard")
    schema = desk.read(SCHEMA)
    code, read = CODEX.run(
        desk,
        "Fix the auth bug in src/auth/token.ts. Don't modify the schema.",
        (
            use(CODEX.read(desk.path(TOKEN))),
            use(CODEX.edit(desk.path(SCHEMA), "users", "people")),
            say("Done."),
        ),
    )
    desk.wait_for_resident()
    assert (code, desk.read(SCHEMA)) == (0, schema)
    assert "broken_constraint" in read[2]
    with desk.store() as store:
        (session,) = store.sessions(str(desk.repo), 5)
        heard = [receipt.event for receipt in store.receipts(100)]
    assert session.denied == 1
    assert heard.count("PreToolUse") == (4 if beside_init else 2), "two calls, told by each line"
    assert "leeboard@leeboard" in plugin(desk, "list")
    plugin(desk, "remove", "leeboard@leeboard")
