from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from leeboard.app.guard.look import GuardedFile, GuardFile, guard_files, look_at_guard, stands
from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import install
from tests.hook_process import SCRIPT

OURS = install("", hook_command(sys.executable, SCRIPT))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / ".claude").mkdir()
    return tmp_path


def client(root: Path, text: str) -> GuardedFile:
    place = root / ".claude/settings.json"
    place.write_text(text, encoding="utf-8")
    return look_at_guard(str(place), GuardFile("client", "claude_code"), None, str(root))


def test_of_a_clients_settings_only_the_guard_counts(root: Path) -> None:
    plain = client(root, OURS)
    assert client(root, json.dumps(json.loads(OURS) | {"permissions": {"allow": ["Bash"]}})).digest == plain.digest
    others: tuple[dict[str, object], ...] = ({"disableAllHooks": True}, {"env": {"LEEBOARD_OFF": "1"}}, {"hooks": {}})
    for more in others:
        assert client(root, json.dumps(json.loads(OURS) | more)).digest != plain.digest


@pytest.mark.parametrize(
    ("text", "stand"),
    [
        (OURS, True),
        ("{}", False),
        ("no json", False),
        (json.dumps(json.loads(OURS) | {"disableAllHooks": True}), False),
        (OURS.replace(SCRIPT, "/gone/leeboard/surfaces/hook.py"), False),
    ],
)
def test_whether_our_hooks_stand(root: Path, text: str, *, stand: bool) -> None:
    assert stands({"a": client(root, text)}) is stand


def test_of_a_pyproject_only_our_table_counts(root: Path) -> None:
    place = root / "pyproject.toml"
    seen = []
    for text in (
        '[tool.leeboard]\nprofile = "enforce"\n',
        '[tool.x]\na = 1\n[tool.leeboard]\nprofile = "enforce"\n',
        "",
    ):
        place.write_text(text, encoding="utf-8")
        seen.append(look_at_guard(str(place), GuardFile("table"), None, str(root)).digest)
    assert seen[0] == seen[1] != seen[2]


def test_the_folder_that_the_client_was_opened_in_counts_too(root: Path) -> None:
    inner = str(root / "inner")
    assert f"{inner}/.claude/settings.local.json" in guard_files(str(root), {"CLAUDE_PROJECT_DIR": inner})
