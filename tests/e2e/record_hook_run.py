"""Record `tests/fixtures/hook_runs` anew from the real client: `python -m tests.e2e.record_hook_run`.

Needs LEEBOARD_E2E_CLAUDE, as `make e2e` sets it. Paths are those of a user whose repository is /repo; records of the
client that tell nothing of the work, its own prompts among them, are left out.
"""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS
from tests.e2e.conftest import PROJECT
from tests.e2e.desk import ROOT, Desk
from tests.e2e.long_work import work
from tests.e2e.model_script import JSON
from tests.hook_process import SCRIPT

FIXTURES = ROOT / "tests" / "fixtures" / "hook_runs"
KEEPER = Path(__file__).with_name("keep_payload.py")
TELLING = {"user", "assistant", "system", "queue-operation"}


def record(folder: Path) -> None:
    desk, kept = Desk(folder, PROJECT), folder / "payloads.jsonl"
    desk.leeboard("init", "--quiet")
    add_keeper(desk, kept)
    first, _second = work(desk)
    desk.wait_for_resident()
    FIXTURES.mkdir(exist_ok=True)
    write("long-work.hooks.jsonl", desk, kept.read_text(encoding="utf-8").splitlines())
    for file in desk.transcripts(first.session):
        name = "long-work.agent.jsonl" if file.stem.startswith("agent-") else "long-work.transcript.jsonl"
        write(name, desk, telling(file.read_text(encoding="utf-8").splitlines()))


def add_keeper(desk: Desk, kept: Path) -> None:
    """Beside our own hooks, which keep answering."""
    settings = json.loads(desk.settings.read_text(encoding="utf-8"))
    line = shlex.join((sys.executable, str(KEEPER), str(kept)))
    for event in HOOK_EVENTS:
        settings["hooks"][event].append({"hooks": [{"type": "command", "command": line}]})
    desk.settings.write_text(json.dumps(settings), encoding="utf-8")


def telling(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if tells(json.loads(line))]


def tells(told: JSON) -> bool:
    attached = told.get("attachment") or {}
    return told.get("type") in TELLING or str(attached.get("type")).startswith("hook_")


def write(name: str, desk: Desk, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    encoded = str(desk.repo).replace("/", "-").replace("_", "-")
    for found, put in (
        (hook_command(sys.executable, SCRIPT), "leeboard-hook"),
        (str(desk.repo), "/repo"),
        (encoded, "-repo"),
        (str(desk.home), "/home/user"),
        (str(desk.folder), "/home/user/desk"),
        (str(ROOT), "/home/user/leeboard"),
        (sys.executable, "python3"),
    ):
        text = text.replace(found, put)
    (FIXTURES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        record(Path(folder))
