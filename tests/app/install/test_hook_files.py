from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.app.install.hook_files import (
    SettingsPlace,
    hook_command,
    install,
    our_command,
    place,
    places,
    plan_install,
    plan_remove,
    powershell_command,
    remove,
    require_lasting,
    short_path,
    standing,
)
from leeboard.clients import FIRST
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS
from leeboard.clients.hook_file import is_ours
from leeboard.errors import ConfigError

OTHERS = '{\n  "env": {"A": "1"},\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


def at(tmp_path: Path, text: str | None) -> SettingsPlace:
    path = tmp_path / "settings.json"
    if text is not None:
        path.write_text(text)
    return SettingsPlace("project", str(path))


def test_the_line_names_this_interpreter_and_is_found_again() -> None:
    command = our_command()
    assert shlex.split(command)[0] == sys.executable
    assert is_ours(command)


def test_the_three_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = [held.path for held in places("/repo")]
    home = str(tmp_path / "home" / ".claude" / "settings.json")
    assert found == ["/repo/.claude/settings.local.json", "/repo/.claude/settings.json", home]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
    assert place("user", "/repo").path == "/elsewhere/settings.json"


def test_in_the_home_directory_no_file_is_named_twice(tmp_path: Path) -> None:
    assert len(places(str(tmp_path / "home"))) == 2


@pytest.mark.parametrize("text", [None, "", "{}", OTHERS, OTHERS.replace("\n", "\r\n")])
def test_in_and_out_gives_the_same_bytes(tmp_path: Path, text: str | None) -> None:
    held = at(tmp_path, None)
    if text is not None:
        Path(held.path).write_bytes(text.encode())
    install(plan_install(held, our_command()))
    assert standing(held) == (HOOK_EVENTS, (our_command(),)) or set(standing(held)[0]) == set(HOOK_EVENTS)
    remove(plan_remove(held))
    assert (Path(held.path).read_bytes().decode() if Path(held.path).exists() else None) == text


def test_twice_in_is_once_in(tmp_path: Path) -> None:
    held = at(tmp_path, OTHERS)
    install(plan_install(held, our_command()))
    assert not plan_install(held, our_command()).changes


def test_another_installation_is_replaced_and_the_first_original_kept(tmp_path: Path) -> None:
    held = at(tmp_path, OTHERS)
    install(plan_install(held, "/old/python -I -S /old/leeboard/surfaces/hook.py"))
    install(plan_install(held, our_command()))
    assert standing(held)[1] == (our_command(),)
    remove(plan_remove(held))
    assert Path(held.path).read_text() == OTHERS


def test_from_a_file_that_was_edited_since_only_ours_goes(tmp_path: Path) -> None:
    held = at(tmp_path, OTHERS)
    install(plan_install(held, our_command()))
    edited = json.loads(Path(held.path).read_text()) | {"model": "opus"}
    Path(held.path).write_text(json.dumps(edited, indent=4))
    remove(plan_remove(held))
    assert json.loads(Path(held.path).read_text()) == json.loads(OTHERS) | {"model": "opus"}


def test_a_file_we_made_goes_although_its_looks_were_changed(tmp_path: Path) -> None:
    held = at(tmp_path, None)
    install(plan_install(held, our_command()))
    Path(held.path).write_text(json.dumps(json.loads(Path(held.path).read_text()), indent=7))
    remove(plan_remove(held))
    assert not Path(held.path).exists()


def test_without_a_record_ours_still_goes(tmp_path: Path) -> None:
    held = at(tmp_path, OTHERS)
    change = plan_install(held, our_command())
    Path(held.path).write_bytes(change.after or b"")
    remove(plan_remove(held))
    assert Path(held.path).read_text() == OTHERS


def test_a_file_that_vanished_is_not_made_again(tmp_path: Path) -> None:
    held = at(tmp_path, OTHERS)
    install(plan_install(held, our_command()))
    Path(held.path).unlink()
    change = plan_remove(held)
    assert not change.changes


@pytest.mark.parametrize("text", ['{"a": 1,}', "[]", '{"hooks": []}'])
def test_what_the_client_would_not_read_is_left_and_named(tmp_path: Path, text: str) -> None:
    held = at(tmp_path, text)
    with pytest.raises(ConfigError, match=r"settings\.json: "):
        plan_install(held, our_command())
    assert Path(held.path).read_text() == text


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    held = at(tmp_path, None)
    Path(held.path).write_bytes(b"\xff\xfe{")
    with pytest.raises(ConfigError, match="not UTF-8"):
        plan_install(held, our_command())


def test_the_command_line_holds_any_path_together() -> None:
    line = hook_command("/opt/my python/bin/py'thon", '/home/a "b" $HOME/leeboard/surfaces/hook.py')
    echoed = subprocess.run(
        ("/bin/sh", "-c", line.replace(" 2>/dev/null || :", "").replace("'/opt", "printf '%s|' '/opt", 1)),
        capture_output=True,
        check=True,
    )
    assert echoed.stdout.split(b"|")[:4] == [
        b"/opt/my python/bin/py'thon",
        b"-I",
        b"-S",
        b'/home/a "b" $HOME/leeboard/surfaces/hook.py',
    ]
    assert line.endswith("|| :")


def test_paths_are_shown_as_short_as_they_can_be_typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    assert short_path(str(tmp_path / "repo" / "a" / "b")) == "a/b"
    assert short_path(str(tmp_path / "other")) == "~/other"
    assert short_path("/etc/x") == "/etc/x"


@pytest.mark.parametrize("place", ["uv/archive-v0/x1", "home/.cache/pipx/abc", "home/Library/Caches/uv/builds/x"])
def test_an_installation_in_a_cache_is_not_written_into_settings(tmp_path: Path, place: str) -> None:
    prefix = tmp_path / place
    prefix.mkdir(parents=True)
    (tmp_path / "uv").mkdir(exist_ok=True)
    (tmp_path / "uv" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    with pytest.raises(ConfigError, match="uv tool install"):
        require_lasting(str(prefix))


def test_a_virtual_environment_that_calls_itself_one_lasts(tmp_path: Path) -> None:
    """As `uv venv` makes them."""
    (tmp_path / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    require_lasting(str(tmp_path))


@pytest.mark.parametrize("client", ["", "codex"])
@pytest.mark.parametrize("python", ["C:\\Program Files\\Python\\python.exe", "C:\\it's\\python.exe"])
def test_a_line_for_powershell_is_quoted_its_way_and_known_again(python: str, client: str) -> None:
    script = "C:\\Users\\me\\leeboard\\surfaces\\hook.py"
    line = powershell_command(python, script, client)
    assert line.startswith("& '" + python.replace("'", "''") + "' -I -S '" + script + "'")
    assert line.endswith(" 2>$null; exit 0")
    assert is_ours(line)


def test_on_windows_the_first_client_has_a_line_for_the_shell_of_git() -> None:
    assert our_command(FIRST, "win32").endswith("2>/dev/null || :")
    assert our_command("codex", "win32").startswith("& '")
    assert our_command("codex", "linux").endswith("hook.py --client codex 2>/dev/null || :")
