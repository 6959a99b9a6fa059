"""Whatever is broken, the agent is not locked out: exit code 0, nothing on stderr, nothing or valid JSON on stdout."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from leeboard.app.install.hook_files import hook_command
from leeboard.app.misses import misses
from tests.hook_process import SCRIPT, HookProcess, edit, prompt

ALONE = {"LEEBOARD_RESIDENT": "0"}


def client(tmp_path: Path) -> HookProcess:
    return HookProcess(folder=str(tmp_path))


def assert_harmless(done: subprocess.CompletedProcess[bytes]) -> None:
    assert done.returncode == 0
    assert done.stderr == b""
    assert not done.stdout or isinstance(msgspec.json.decode(done.stdout), dict)


def copied_package(tmp_path: Path) -> Path:
    package = tmp_path / "a folder" / "leeboard"
    shutil.copytree(Path(SCRIPT).parents[1], package, ignore=shutil.ignore_patterns("__pycache__", "cli"))
    return package


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b" \n",
        b"\x00" * 100,
        b"not json",
        b"[1, 2]",
        b"{}",
        b'{"session_id": 5}',
        b"\xff\xfe{",
        b"[" * 100_000,
        b'{"session_id": "s", "hook_event_name": "PreToolUse", "tool_input": [[], {}], "tool_name": 5}',
        b'{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_use_id": "t", "cwd": "\\ud800"}',
        b'{"session_id": "s", "hook_event_name": "Unheard"}',
    ],
    ids=lambda payload: payload[:12].decode("latin-1"),
)
def test_garbage_on_stdin(tmp_path: Path, payload: bytes) -> None:
    assert_harmless(client(tmp_path).run(payload, ALONE))


def test_ten_megabytes_on_stdin(tmp_path: Path) -> None:
    given = {"file_path": "/repo/a.py", "content": "x = 1\n" * 1_700_000}
    payload = edit("t1", "/repo/a.py", tool_name="Write", tool_input=given)
    assert_harmless(client(tmp_path).run(payload, ALONE))
    assert misses(client(tmp_path).state_dir) == []


def test_closed_stdin_and_stdout(tmp_path: Path) -> None:
    line = f"exec <&- >&-; {hook_command(sys.executable, SCRIPT)}"
    done = subprocess.run(
        ("/bin/sh", "-c", line), env=client(tmp_path).environment(ALONE), capture_output=True, check=False
    )
    assert_harmless(done)


def test_a_removed_package(tmp_path: Path) -> None:
    package = copied_package(tmp_path)
    process = HookProcess(folder=str(tmp_path), script=str(package / "surfaces" / "hook.py"))
    assert_harmless(process.run(prompt("fix it"), ALONE))
    assert misses(process.state_dir) == []
    shutil.rmtree(package)
    assert_harmless(process.run(prompt("fix it"), ALONE))


def test_a_removed_interpreter(tmp_path: Path) -> None:
    assert_harmless(HookProcess(folder=str(tmp_path), python=str(tmp_path / "no" / "python")).run(prompt("fix it")))


def test_a_script_that_can_not_be_read(tmp_path: Path) -> None:
    """A folder in its place, as root reads every file."""
    script = tmp_path / "leeboard" / "surfaces" / "hook.py"
    script.mkdir(parents=True)
    assert_harmless(HookProcess(folder=str(tmp_path), script=str(script)).run(prompt("fix it")))


def test_a_package_that_can_not_be_imported(tmp_path: Path) -> None:
    package = copied_package(tmp_path)
    (package / "app" / "handle.py").write_text("def broken(:\n", encoding="utf-8")
    process = HookProcess(folder=str(tmp_path), script=str(package / "surfaces" / "hook.py"))
    assert_harmless(process.run(prompt("fix it"), ALONE))
    assert "SyntaxError" in misses(process.state_dir)[-1]


def test_a_library_that_is_missing(tmp_path: Path) -> None:
    package = copied_package(tmp_path)
    (package / "model" / "event.py").write_text("import no_such_library\n", encoding="utf-8")
    process = HookProcess(folder=str(tmp_path), script=str(package / "surfaces" / "hook.py"))
    assert_harmless(process.run(prompt("fix it"), ALONE))
    assert "no_such_library" in misses(process.state_dir)[-1]


def test_a_database_somebody_holds_locked(tmp_path: Path) -> None:
    process = client(tmp_path)
    assert_harmless(process.run(prompt("fix it"), ALONE))
    with closing(sqlite3.connect(f"{process.state_dir}/leeboard.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        done = process.run(edit("t1", "/repo/a.py"), ALONE)
    assert_harmless(done)
    assert done.stdout == b""
    assert "locked" in misses(process.state_dir)[-1]


def corrupt(state: Path) -> None:
    (state / "leeboard.db").write_bytes(b"SQLite format 3\x00" + b"garbage" * 1000)


def newer(state: Path) -> None:
    with closing(sqlite3.connect(state / "leeboard.db")) as database:
        database.execute("PRAGMA user_version = 9999")


def folder_for_database(state: Path) -> None:
    (state / "leeboard.db").mkdir()


@pytest.mark.parametrize("spoil", [corrupt, newer, folder_for_database])
def test_a_database_that_can_not_be_used(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    process = client(tmp_path)
    state = Path(process.state_dir)
    state.mkdir()
    spoil(state)
    done = process.run(prompt("fix it"), ALONE)
    assert_harmless(done)
    assert list(msgspec.json.decode(done.stdout)) == ["systemMessage"]
    assert len(misses(process.state_dir)) == 1


def test_a_file_where_the_state_should_be(tmp_path: Path) -> None:
    Path(client(tmp_path).state_dir).write_text("in the way", encoding="utf-8")
    assert_harmless(client(tmp_path).run(prompt("fix it"), ALONE))


@pytest.mark.parametrize("place", ["/proc/nobody/state", "/dev/null/state", "\udcff", "~nobody-of-this-name/x", "rel"])
def test_a_state_directory_nobody_can_make(tmp_path: Path, place: str) -> None:
    done = subprocess.run(
        ("/bin/sh", "-c", hook_command(sys.executable, SCRIPT)),
        input=prompt("fix it"),
        cwd=tmp_path,
        env=client(tmp_path).environment({**ALONE, "LEEBOARD_STATE_DIR": place}),
        capture_output=True,
        check=False,
    )
    assert_harmless(done)


def test_a_full_disk(tmp_path: Path) -> None:
    """No file may grow: the same errors as a full disk, for root too."""
    process = client(tmp_path)
    line = f"ulimit -f 0; {hook_command(process.python, process.script)}"
    done = subprocess.run(
        ("/bin/sh", "-c", line),
        input=prompt("fix it"),
        env=process.environment(ALONE),
        capture_output=True,
        check=False,
    )
    assert_harmless(done)


def test_no_home(tmp_path: Path) -> None:
    """The state goes where the rest of the environment says, or where the system knows the user's home."""
    env = {"HOME": None, "LEEBOARD_STATE_DIR": None, "XDG_STATE_HOME": str(tmp_path / "xdg"), **ALONE}
    assert_harmless(client(tmp_path).run(prompt("fix it"), env))
    assert (tmp_path / "xdg" / "leeboard" / "leeboard.db").exists()


def test_no_place_for_a_socket(tmp_path: Path) -> None:
    process = client(tmp_path)
    assert_harmless(process.run(prompt("fix it"), {"LEEBOARD_RUNTIME_DIR": "/proc/nobody/run"}))
    assert "LEEBOARD_RUNTIME_DIR" in misses(process.state_dir)[-1]


def test_an_empty_environment(tmp_path: Path) -> None:
    done = subprocess.run(
        ("/bin/sh", "-c", hook_command(sys.executable, SCRIPT)),
        input=b"garbage",
        env={"LEEBOARD_STATE_DIR": str(tmp_path)} | ALONE,
        capture_output=True,
        check=False,
    )
    assert_harmless(done)


def test_broken_settings_do_not_silence_the_rest(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (repo / "leeboard.toml").write_text("profile = [broken", encoding="utf-8")
    process = client(tmp_path)
    assert_harmless(process.run(prompt("fix auth bug", cwd=str(repo)), ALONE))
    for number, path in enumerate(("src/auth/token.ts", "src/styles/theme.css")):
        for name in ("PreToolUse", "PostToolUse"):
            done = process.run(edit(f"t{number}", f"{repo}/{path}", name=name, cwd=str(repo)), ALONE)
            assert_harmless(done)
    assert b"theme.css" in done.stdout


def test_switched_off(tmp_path: Path) -> None:
    assert_harmless(client(tmp_path).run(prompt("fix it"), {"LEEBOARD_OFF": "1"}))
    assert not Path(client(tmp_path).state_dir).exists()
