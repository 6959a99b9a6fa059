"""What somebody tried who wanted a call to pass the hook unseen, each through the hook as clients call it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from leeboard.app.misses import misses
from leeboard.io import places
from leeboard.surfaces import edge
from tests.leak import live_key


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a change in no commit."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    root = tmp_path / "repo"
    root.mkdir()
    git = ("git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.com")
    (root / "a.txt").write_text("one\n", encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run((*git, *words), check=True)
    (root / "a.txt").write_text("work of somebody\n", encoding="utf-8")
    return root


def asked(root: Path, tool: str, given: Mapping[str, object], **changed: object) -> bytes:
    """The answer of the hook; a field that is changed to ... is missing."""
    told: dict[str, object] = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(root), "tool_use_id": "t"}
    told |= {"tool_name": tool, "tool_input": given} | changed
    return edge.answer(msgspec.json.encode({name: value for name, value in told.items() if value is not ...}), {})


def refused(root: Path, command: str, **changed: object) -> bool:
    return b'"deny"' in asked(root, "Bash", {"command": command}, **changed)


HARMFUL = ("git reset --hard", "leeboard uninstall", "echo x > leeboard.toml")


@pytest.mark.parametrize("theirs", ['["!**"]', '["!secret/x.txt"]'])
def test_a_repository_does_not_bare_what_the_user_protects(repository: Path, tmp_path: Path, theirs: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/leeboard.toml").write_text('[protect]\nfiles = ["secret/**"]\n', encoding="utf-8")
    (repository / "leeboard.toml").write_text(f"[protect]\nfiles = {theirs}\n", encoding="utf-8")
    given = {"file_path": str(repository / "secret/x.txt"), "content": "x"}
    assert b'"deny"' in asked(repository, "Write", given)


@pytest.mark.parametrize(
    "command", ["git reset --hard\0", "git re\0set --hard", "leeboard uninstall\0", "\0git reset --hard"]
)
def test_a_nul_hides_nothing(repository: Path, command: str) -> None:
    assert refused(repository, command)
    assert not refused(repository, "git sta\0tus", session_id="other")


@pytest.mark.parametrize("session", [None, 7, "", ..., []])
def test_a_call_without_a_session_is_judged(repository: Path, session: object) -> None:
    given = {"file_path": str(repository / "k.py"), "content": f'key = "{live_key(1)}"\n'}
    assert b'"deny"' in asked(repository, "Write", given, session_id=session)
    assert not refused(repository, "git status", session_id=session)
    assert any("session_id" in line for line in misses(places.state_dir()))


@pytest.mark.parametrize("cwd", [None, 7, "", ...])
def test_a_call_without_a_folder_is_judged_where_the_hook_runs(
    repository: Path, monkeypatch: pytest.MonkeyPatch, cwd: object
) -> None:
    monkeypatch.chdir(repository)
    assert refused(repository, "git reset --hard", cwd=cwd)
    assert not refused(repository, "git status", cwd=cwd, tool_use_id="u")


@pytest.mark.parametrize("levels", [300, 950, 3_000, 200_000])
def test_deep_nesting_hides_nothing(repository: Path, levels: int) -> None:
    for command, is_refused in (("git reset --hard", True), ("git status", False)):
        told = msgspec.json.encode(
            {
                "hook_event_name": "PreToolUse",
                "session_id": f"s{levels}{is_refused}",
                "cwd": str(repository),
                "tool_name": "Bash",
                "tool_input": {"x": "DEEP", "command": command, "brackets": '[[[{"\\"'},
            }
        )
        for opened, closed in ((b"[", b"]"), (b'{"a":', b"}")):
            deep = told.replace(b'"DEEP"', opened * levels + b"1" + closed * levels)
            assert (b'"deny"' in edge.answer(deep, {})) is is_refused
    assert misses(places.state_dir()) == []


PADDING = {
    "many commands": ": \n" * 1_000,
    "a thousand echoes": "echo a; " * 1_500,
    "many characters": "echo " + "a" * 66_000 + "\n",
    "one long line": "echo aaaaaaaaaaaaaaaa; " * 3_000,
    "more than a system takes": "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" * 8_000,
    "many programs": "".join(f"program{number} x\n" for number in range(40)),
}


@pytest.mark.parametrize("padding", PADDING.values(), ids=PADDING.keys())
@pytest.mark.parametrize("command", HARMFUL)
def test_padding_hides_nothing(repository: Path, padding: str, command: str) -> None:
    (repository / "leeboard.toml").write_text("", encoding="utf-8")
    assert refused(repository, padding + command)


def test_padding_inside_of_a_shell_hides_nothing(repository: Path) -> None:
    assert refused(repository, f"bash -c '{PADDING['many commands']}git reset --hard'")
    assert refused(repository, ": $(" * 60 + "git reset --hard" + ")" * 60, session_id="deep")


@pytest.mark.parametrize("padding", PADDING.values(), ids=PADDING.keys())
def test_long_lines_of_ordinary_work_pass(repository: Path, padding: str) -> None:
    text = "Some prose of many words, as documents have it.\n" * 8_000
    for number, command in enumerate(("git status", "cp a b", f"cat > notes.md <<'END'\n{text}END\n", "rm -rf build")):
        assert not refused(repository, padding + command, session_id=f"s{number}")
