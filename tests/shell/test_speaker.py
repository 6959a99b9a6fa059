"""Lines and files by which an agent would speak as its client or its user."""

from __future__ import annotations

import pytest

from leeboard.model.session import Goal
from leeboard.shell.speaker import (
    HOOK,
    SOCKET,
    TYPED,
    holds_records,
    is_record,
    named_by_user,
    of_another_project,
    speaks_for_others,
)
from leeboard.shell.understand import understand

TRANSCRIPT = "~/.claude/projects/-repo/s.jsonl"
SOCK = "/tmp/leeboard-1000/0a1b2c3d.sock"


@pytest.mark.parametrize(
    ("line", "voice"),
    [
        ("leeboard hook < prompt.json", HOOK),
        ("python3 -I -S /x/leeboard/surfaces/hook.py < prompt.json", HOOK),
        ("python3 -m leeboard.surfaces.hook_client < prompt.json", HOOK),
        ("echo '{}' | env -u CLAUDECODE CLAUDE_PROJECT_DIR=/x leeboard hook", HOOK),
        (f"nc -U {SOCK} < request", SOCKET),
        (f"cat request | socat - UNIX-CONNECT:{SOCK}", SOCKET),
        ("nc -U $XDG_RUNTIME_DIR/leeboard/0a1b2c3d.sock < request", SOCKET),
        (f"python3 -c 'import socket; socket.socket(1).connect(\"{SOCK}\")'", SOCKET),
        ("tmux send-keys -t main 'leeboard allow scope_drift --reason x' Enter", TYPED),
        ("tmux send-keys leeboard scope widen src/ Enter", TYPED),
        ("screen -X stuff 'leeboard uninstall'", TYPED),
    ],
)
def test_who_speaks_for_others(line: str, voice: str) -> None:
    assert speaks_for_others(understand(line, "/repo")) == voice


@pytest.mark.parametrize(
    "line",
    [
        f"ls -l {SOCK}",
        "nc -U /run/postgresql/.s.PGSQL.5432",
        "tmux send-keys -t main 'npm test' Enter",
        "tmux send-keys -t main 'leeboard status' Enter",
        "tmux new-session -d 'npm run dev'",
        "grep -rn 'leeboard hook' docs",
    ],
)
def test_ordinary_lines_speak_for_nobody(line: str) -> None:
    assert speaks_for_others(understand(line, "/repo")) == ""


@pytest.mark.parametrize(
    "line",
    [
        "cat x >> {}",
        "tee -a {}",
        "sed -i s/a/b/ {}",
        "cp x {}",
        "mv x {}",
        "truncate -s 0 {}",
        "dd if=x of={}",
        "ln -sf /tmp/x {}",
        "rm {}",
        "cd ~/.claude/projects/-repo && echo x >> s.jsonl",
        "python3 -c \"open('/root/.claude/projects/-repo/s.jsonl', 'a').write('x')\"",
        "rm -rf ~/.claude/projects",
    ],
)
def test_writing_to_a_transcript_is_seen(line: str) -> None:
    touched = [touch.path for touch in understand(line.format(TRANSCRIPT), "/repo").touches if touch.modifies]
    assert any(is_record(path) or holds_records(path) for path in touched)


@pytest.mark.parametrize(
    "path",
    [
        "/home/u/.claude/projects/-repo/s/subagents/agent-1.jsonl",
        "/elsewhere/projects/-repo/s.jsonl",
        "/home/u/.codex/sessions/2026/01/02/rollout-x.jsonl",
    ],
)
def test_records_of_a_client(path: str) -> None:
    assert is_record(path)


@pytest.mark.parametrize(
    "path",
    [
        "tests/projects/-repo/s.jsonl",
        "data/rollout-1.jsonl",
        "/repo/data/rows.jsonl",
        "~/.claude/projects/-repo/memory/x.md",
    ],
)
def test_other_lines_of_json(path: str) -> None:
    assert not is_record(path)


@pytest.mark.parametrize(
    ("text", "scope", "path", "named"),
    [
        ("edit leeboard.toml", ("leeboard.toml",), "leeboard.toml", True),
        ("edit leeboard.toml", ("leeboard.toml",), "~/.config/leeboard/leeboard.toml", False),
        ("edit settings.json in src", ("settings.json",), ".claude/settings.json", False),
        ("edit settings.local.json", ("settings.local.json",), ".claude/settings.local.json", True),
        ("edit all but keep leeboard.toml", ("leeboard.toml",), "leeboard.toml", False),
        ("edit ~/.claude/settings.json", (), "/home/u/.claude/settings.json", True),
        ("never edit ~/.claude/settings.json", (), "/home/u/.claude/settings.json", False),
        ("edit my-leeboard.toml", (), "leeboard.toml", False),
    ],
)
def test_what_a_user_named(text: str, scope: tuple[str, ...], path: str, *, named: bool) -> None:
    assert named_by_user(path, (Goal(text=text, exchange=1, scope=scope),)) is named


@pytest.mark.parametrize(
    ("path", "is_other"),
    [
        ("~/.claude/projects/-home-kim-other", True),
        ("/home/kim/.claude/projects/-home-kim-other/s.jsonl", True),
        ("~/.claude/projects/-home-kim-my-app/s.jsonl", False),
        ("~/.claude/projects/*/s.jsonl", False),
        ("~/.claude/projects", False),
    ],
)
def test_the_records_of_another_project_are_not_those_of_this_one(path: str, is_other: bool) -> None:  # noqa: FBT001 - of the table
    assert of_another_project(path, "/home/kim/my app") == is_other
