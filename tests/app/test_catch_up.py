from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.catch_up import LIVE_LIMIT, TranscriptReading, catch_up, keep_place
from leeboard.clients.call import HookCall
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import Event, MessageSaid, ToolFinished, ToolProposed
from leeboard.store.memory import MemoryStore
from tests.hook_process import edit, hook_payload, prompt
from tools.scripted import transcript

SCRIPT = """\
@ fix the auth bug in src/auth/token.ts
~ The clock skew looks wrong, I will change src/auth/token.ts.
write src/auth/token.ts
  one
~ Done, now the theme.
write src/styles/theme.css
  red
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def call(payload: bytes) -> HookCall:
    return parse(payload, now=1_000.0)


def pause(path: Path) -> HookCall:
    return call(prompt("go on", transcript_path=str(path), prompt_id="p9"))


def tools(reading: TranscriptReading) -> list[str]:
    return [event.call.id for event in reading.events if isinstance(event, ToolProposed)]


def said(reading: TranscriptReading) -> list[str]:
    return [event.text for event in reading.events if isinstance(event, MessageSaid)]


def proposals(lines: list[bytes]) -> list[int]:
    return [number for number, line in enumerate(lines) if b'"type":"tool_use"' in line]


def test_a_pause_reads_everything_once(path: Path) -> None:
    path.write_bytes(transcript(SCRIPT, session="s", repo="app"))
    store = MemoryStore()
    first = catch_up(pause(path), store)
    keep_place(first, pause(path), store)
    assert len(tools(first)) == 2
    assert {event.session for event in first.events} == {"s"}
    assert first.cursor is not None
    assert first.cursor.offset == path.stat().st_size
    assert catch_up(pause(path), store) == TranscriptReading()


def test_half_a_line_waits_for_its_end(path: Path) -> None:
    data = transcript(SCRIPT, session="s", repo="app")
    store = MemoryStore()
    read: list[Event] = []
    for end in range(0, len(data) + 300, 300):
        path.write_bytes(data[:end])
        reading = catch_up(pause(path), store)
        keep_place(reading, pause(path), store)
        read += reading.events
    whole = catch_up(pause(path), MemoryStore())
    assert [event.key for event in read if event.key] == [event.key for event in whole.events if event.key]


def test_a_call_that_is_still_open_is_left_to_its_own_hook(path: Path) -> None:
    """Judged from here it could not be denied any more. The plan in front of it is read all the same."""
    lines = transcript(SCRIPT, session="s", repo="app").splitlines(keepends=True)
    last = proposals(lines)[-1]
    path.write_bytes(b"".join(lines[: last + 1]))
    store = MemoryStore()
    other = call(edit("toolu_other", "/repo/src/auth/token.ts", transcript_path=str(path)))
    first = catch_up(other, store)
    keep_place(first, other, store)
    assert len(tools(first)) == 1
    assert said(first)[-1] == "Done, now the theme."
    path.write_bytes(b"".join(lines))
    assert len(tools(catch_up(other, store))) == 1


def test_the_hooks_own_call_is_not_told_twice(path: Path) -> None:
    lines = transcript(SCRIPT, session="s", repo="app").splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: proposals(lines)[0] + 1]))
    own = tools(catch_up(pause(path), MemoryStore()))[0]
    reading = catch_up(call(edit(own, "/repo/src/auth/token.ts", transcript_path=str(path))), MemoryStore())
    assert tools(reading) == []
    assert said(reading) == ["The clock skew looks wrong, I will change src/auth/token.ts."]
    assert reading.cursor is not None
    assert reading.cursor.offset == path.stat().st_size


def test_in_front_of_a_tool_only_a_part_is_read(path: Path) -> None:
    long = SCRIPT + "".join(f"~ {number} {'word ' * 2_000}\n" for number in range(60))
    path.write_bytes(transcript(long, session="s", repo="app"))
    asked = call(edit("toolu_other", "/repo/a.py", transcript_path=str(path)))
    store = MemoryStore()
    keep_place(catch_up(call(prompt("x", transcript_path=str(path) + ".none")), store), asked, store)
    whole = catch_up(asked, store)
    assert whole.cursor is not None
    assert whole.cursor.offset == path.stat().st_size, "a session that is met for the first time"
    small = Path(f"{path}.2")
    small.write_bytes(path.read_bytes())
    start = path.read_bytes().index(b"\n") + 1
    with store.transaction("s") as transaction:
        transaction.set_cursor(type(whole.cursor)(path=str(small), inode=small.stat().st_ino, offset=start))
    part = catch_up(call(edit("toolu_other", "/repo/a.py", transcript_path=str(small))), store)
    assert part.cursor is not None
    assert start < part.cursor.offset <= start + LIVE_LIMIT


def test_a_result_of_an_earlier_reading_has_its_id(path: Path) -> None:
    lines = transcript(SCRIPT, session="s", repo="app").splitlines(keepends=True)
    cut = proposals(lines)[-1] + 1
    store = MemoryStore()
    path.write_bytes(b"".join(lines[:cut]))
    first = catch_up(pause(path), store)
    keep_place(first, pause(path), store)
    path.write_bytes(b"".join(lines))
    finished = [event for event in catch_up(pause(path), store).events if isinstance(event, ToolFinished)]
    assert [event.call.id for event in finished] == tools(first)[-1:]


def test_a_replaced_file_is_read_from_its_start(path: Path) -> None:
    store = MemoryStore()
    path.write_bytes(transcript(SCRIPT, session="s", repo="app"))
    keep_place(catch_up(pause(path), store), pause(path), store)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(transcript("@ something else\n~ Fine.\n", session="s", repo="app"))
    fresh.replace(path)
    assert said(catch_up(pause(path), store)) == ["Fine."]


@pytest.mark.parametrize("name", ["PostToolUse", "PostToolBatch", "SubagentStop", "Notification"])
def test_other_moments_do_not_read(path: Path, name: str) -> None:
    path.write_bytes(transcript(SCRIPT, session="s", repo="app"))
    assert catch_up(call(hook_payload(name, transcript_path=str(path))), MemoryStore()) == TranscriptReading()


def test_no_transcript_is_nothing_to_speak_of(path: Path) -> None:
    assert catch_up(call(prompt("fix it")), MemoryStore()) == TranscriptReading()
    assert catch_up(pause(path), MemoryStore()) == TranscriptReading()


@pytest.mark.parametrize("data", [b"\x00" * 500 + b"\n", b"garbage\n" * 10, b"[]\n5\n", b"\n\n\n"])
def test_garbage_is_passed_over(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    reading = catch_up(pause(path), MemoryStore())
    assert reading.events == ()
    assert reading.cursor is not None
    assert reading.cursor.offset == len(data)


def test_a_rollout_is_read_as_what_it_is(tmp_path: Path) -> None:
    fixtures = Path(__file__).parents[1] / "fixtures" / "transcripts"
    rollout = tmp_path / "rollout-2026-01-01.jsonl"
    rollout.write_bytes((fixtures / "codex-multi-tool.jsonl").read_bytes())
    assert tools(catch_up(pause(rollout), MemoryStore()))


def test_a_transcript_the_hook_does_not_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At `~/.claude/projects/<path>/<session>.jsonl` (AD-13)."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    kept = tmp_path / "projects" / "-repo" / "s.jsonl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(transcript(SCRIPT, session="s", repo="app"))
    unnamed = call(prompt("go on", transcript_path="", prompt_id="p9"))
    assert len(tools(catch_up(unnamed, MemoryStore()))) == 2
