"""Record `tests/fixtures/clients` anew from the real clients: `python -m tests.e2e.record_clients [CLIENT...]`.

Needs the variables that `make e2e` sets. Paths are those of a user whose repository is /repo.
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from pathlib import Path

from leeboard.app.install.hook_files import our_command
from tests.e2e.conftest import PROJECT
from tests.e2e.desk import ROOT, Desk
from tests.e2e.every_client import OTHERS, OtherClient
from tests.e2e.model_script import say, use
from tests.e2e.scripted_gemini import write_settings

FIXTURES = ROOT / "tests" / "fixtures" / "clients"


def record(folder: Path, client: OtherClient) -> None:
    desk, kept = Desk(folder, PROJECT), folder / "payloads.jsonl"
    write_settings(desk.home)
    desk.leeboard("init", "--client", client.name, *client.scope, "--quiet")
    _keep(client.path(desk), client.name, kept)
    token, schema, theme = map(desk.path, ("src/auth/token.ts", "db/schema.sql", "src/styles/theme.css"))
    client.run(
        desk,
        "Fix the auth bug in src/auth/token.ts. Don't modify the schema.",
        (
            use(client.read(token), client.read(schema)),
            use(client.edit(token, "60", "3600")),
            use(client.edit(schema, "users", "people")),
            use(client.edit(theme, "black", "navy")),
            use(client.shell("echo out; exit 3")),
            *client.by_agent,
            say("Done."),
        ),
    )
    desk.wait_for_resident()
    text = kept.read_text(encoding="utf-8")
    for found, put in (
        (str(desk.repo), "/repo"),
        (str(desk.home), "/home/user"),
        (str(desk.folder), "/home/user/desk"),
    ):
        text = text.replace(found, put)
    FIXTURES.mkdir(exist_ok=True)
    (FIXTURES / f"{client.name}.jsonl").write_text(text, encoding="utf-8")


def _keep(settings: Path, name: str, kept: Path) -> None:
    """Have each hook line write down what it is told before it answers."""
    line = our_command(name)
    told = f"P=$(cat); printf '%s\\n' \"$P\" >> {shlex.quote(str(kept))}; printf '%s' \"$P\" | {line}"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace(json.dumps(line), json.dumps(told)), encoding="utf-8")


if __name__ == "__main__":
    for client in (one for one in OTHERS if not sys.argv[1:] or one.name in sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            record(Path(folder), client)
