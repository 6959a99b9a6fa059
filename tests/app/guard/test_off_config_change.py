"""What a client is answered that asks whether it may take changed settings over."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import install
from leeboard.trust.released import release
from tests.hook_process import SCRIPT, HookProcess


class Desk:
    """A project with our hooks in its settings, and a session that has begun."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "repo"
        self.settings = self.repo / ".claude" / "settings.local.json"
        self.settings.parent.mkdir(parents=True)
        self.hook = HookProcess(folder=str(folder / "home"))
        self.settings.write_text(install("", hook_command(sys.executable, SCRIPT)), encoding="utf-8")

    def tell(self, event: str, **fields: object) -> dict[str, str]:
        payload = {"session_id": "s1", "hook_event_name": event, "cwd": str(self.repo), **fields}
        env = {"LEEBOARD_RESIDENT": "0", "CLAUDE_PROJECT_DIR": str(self.repo)}
        done = self.hook.run(json.dumps(payload).encode(), env)
        assert done.returncode == 0
        answer: dict[str, str] = json.loads(done.stdout) if done.stdout else {}
        return answer

    def change(self, text: str) -> dict[str, str]:
        self.settings.write_text(text, encoding="utf-8")
        return self.tell("ConfigChange", source="local_settings", file_path=str(self.settings))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.tell("SessionStart", source="startup")
    return desk


def test_settings_without_our_hooks_are_held_back_and_the_person_hears_of_it(desk: Desk) -> None:
    answer = desk.change("{}")
    assert answer["decision"] == "block"
    assert str(desk.settings) in answer["systemMessage"]
    assert "leeboard uninstall" in answer["systemMessage"]


def test_so_is_a_switch_for_all_hooks(desk: Desk) -> None:
    told = json.loads(desk.settings.read_text(encoding="utf-8")) | {"disableAllHooks": True}
    assert desk.change(json.dumps(told))["decision"] == "block"


def test_and_a_file_that_is_gone(desk: Desk) -> None:
    desk.settings.unlink()
    assert desk.tell("ConfigChange", source="local_settings", file_path=str(desk.settings))["decision"] == "block"


def test_any_other_change_passes(desk: Desk) -> None:
    told = json.loads(desk.settings.read_text(encoding="utf-8")) | {"model": "opus"}
    assert desk.change(json.dumps(told)) == {}


def test_a_person_who_took_the_hooks_out_is_not_held_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", desk.hook.state_dir)
    release(str(desk.repo))
    assert desk.change("{}")["decision"] == "block", "settling something else is no word on the hooks"
    release(str(desk.repo), "hooks")
    assert desk.change("{ }") == {}


def test_nothing_is_held_back_where_nothing_is_ever_refused(desk: Desk) -> None:
    (desk.repo.parent / "home" / ".config" / "leeboard").mkdir(parents=True)
    (desk.repo.parent / "home" / ".config" / "leeboard" / "leeboard.toml").write_text('profile = "observe"\n')
    desk.tell("SessionStart", source="startup", session_id="s2")
    desk.settings.write_text("{}", encoding="utf-8")
    answer = desk.tell("ConfigChange", session_id="s2", source="local_settings", file_path=str(desk.settings))
    assert answer == {}
