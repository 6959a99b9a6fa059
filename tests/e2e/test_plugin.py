"""The plugin in the real client: valid, installed from a local marketplace, heard, and heard once beside `init`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.client import CLIENT
from tests.e2e.desk import ROOT, Desk
from tests.e2e.model_script import Script, edit, read, say, use

pytestmark = pytest.mark.e2e

PLUGIN = str(ROOT / "plugins" / "claude-code")
TOKEN, THEME, SCHEMA = "src/auth/token.ts", "src/styles/theme.css", "db/schema.sql"


def plugin(desk: Desk, *words: str) -> str:
    line = (CLIENT, "plugin", *words)
    done = subprocess.run(line, cwd=desk.repo, env=desk.env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def on_path(bare_desk: Desk) -> Desk:
    bare_desk.env["PATH"] = f"{Path(sys.executable).parent}:{bare_desk.env['PATH']}"
    return bare_desk


def work(desk: Desk) -> Script:
    return Script(
        main=(
            use(read(desk.path(TOKEN)), read(desk.path(SCHEMA))),
            use(edit(desk.path(TOKEN), "60", "3600")),
            use(edit(desk.path(SCHEMA), "users", "people")),
            use(edit(desk.path(THEME), "black", "navy")),
            say("Done."),
        )
    )


@pytest.mark.parametrize("folder", [PLUGIN, str(ROOT)])
def test_the_client_finds_no_fault_with_it(bare_desk: Desk, folder: str) -> None:
    assert "Validation passed" in plugin(bare_desk, "validate", "--strict", folder)


@pytest.mark.parametrize("beside_init", [False, True])
def test_installed_from_a_marketplace_it_is_heard_once(on_path: Desk, *, beside_init: bool) -> None:
    desk = on_path
    if beside_init:
        desk.leeboard("init", "--quiet")
    plugin(desk, "marketplace", "add", str(ROOT))
    plugin(desk, "install", "leeboard@leeboard")
    before = desk.read(SCHEMA)
    run = desk.run("Fix the auth bug in src/auth/token.ts. Don't modify the schema.", work(desk))
    desk.wait_for_resident()
    assert (run.code, desk.read(SCHEMA)) == (0, before)
    (refused,) = run.main[3].results
    assert refused["is_error"] is True
    assert "broken_constraint" in refused["content"]
    about_theme = [words for words in run.main[-1].our_words if THEME in words]
    assert len(about_theme) == 1, "one event, one correction"
    assert desk.session(run.session).denied == 1
    (status,) = desk.leeboard("status", "--json")
    assert (status["installed"], status["problems"]) == (True, [])
    heard = [receipt.event for receipt in desk.receipts(run.session)]
    assert heard.count("PreToolUse") == (10 if beside_init else 5), "five calls, told by each line"
    shown = [str(told["text"]) for told in run.output if told.get("subtype") == "ui_status"]
    assert "1 refused" in shown[-1], "its status line"
