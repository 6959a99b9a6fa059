"""Recorded sessions of Claude Code 2.1.325, and what becomes of them when they are cut and broken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.clients.claude_code.transcript import TranscriptReader
from leeboard.model.event import Event, PromptGiven, SessionStarted, ToolFinished, ToolProposed, TurnEnded
from tools.mutate import mutated_stream, mutations

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
NAMES = sorted(path.name for path in FOLDER.glob("claude-*.jsonl"))
MULTI_TOOL = (FOLDER / "claude-multi-tool.jsonl").read_bytes()


def told(data: bytes) -> list[Event]:
    reader = TranscriptReader()
    return reader.feed(data) + reader.finish()


def written(events: list[Event]) -> list[bytes]:
    return [msgspec.json.encode({"event": type(event).__name__, **msgspec.structs.asdict(event)}) for event in events]


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_tells_exactly_what_is_expected(name: str) -> None:
    expected = (FOLDER / "expected" / name).read_bytes().splitlines()
    assert written(told((FOLDER / name).read_bytes())) == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_line_of_a_recorded_session_is_understood(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    reader = TranscriptReader()
    reader.feed(data)
    assert (reader.skipped, reader.lines, reader.consumed) == (0, data.count(b"\n"), len(data))


def test_calls_prompts_and_turns_of_a_session_with_many_tools() -> None:
    events = told(MULTI_TOOL)
    calls = [(event.call.tool, event.call.action) for event in events if isinstance(event, ToolProposed)]
    results = [(event.call.tool, event.outcome) for event in events if isinstance(event, ToolFinished)]
    assert calls == [
        *(("Read", "read"), ("Edit", "edit"), ("Bash", "bash"), ("Grep", "read")),
        *(("TodoWrite", "other"), ("Write", "write")),
    ]
    assert results == [
        *(("Read", "done"), ("Edit", "done"), ("Bash", "done"), ("Grep", "done")),
        *(("TodoWrite", "failed"), ("Write", "done")),
    ]
    assert [event.text for event in events if isinstance(event, PromptGiven)] == ["Please fix add() in app.py"]
    assert [len(event.calls) for event in events if isinstance(event, TurnEnded)] == [1, 1, 2, 1, 1, 0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(MULTI_TOOL)), max_size=12))
def test_any_split_of_the_bytes_tells_the_same(cuts: list[int]) -> None:
    reader = TranscriptReader()
    edges = [0, *sorted(cuts), len(MULTI_TOOL)]
    pieces = [MULTI_TOOL[start:end] for start, end in pairwise(edges)]
    events = [event for piece in pieces for event in reader.feed(piece)] + reader.finish()
    assert events == told(MULTI_TOOL)
    assert reader.consumed == len(MULTI_TOOL)


def test_byte_by_byte_tells_the_same() -> None:
    reader = TranscriptReader()
    data = (FOLDER / "claude-interactive-ask.jsonl").read_bytes()
    events = [event for place in range(len(data)) for event in reader.feed(data[place : place + 1])]
    assert events + reader.finish() == told(data)


def test_reading_goes_on_at_the_cursor() -> None:
    """A reader for the rest of the file tells the rest: nothing twice, nothing lost but the insides of open calls."""
    half = len(MULTI_TOOL) // 2
    first = TranscriptReader()
    before = first.feed(MULTI_TOOL[:half])
    second = TranscriptReader(started=True)
    after = second.feed(MULTI_TOOL[first.consumed :]) + second.finish()
    keys = [event.key for event in before + after if event.key]
    assert sorted(keys) == sorted(event.key for event in told(MULTI_TOOL) if event.key)
    assert not any(isinstance(event, SessionStarted) for event in after)


def test_a_last_line_without_an_end_counts_only_when_it_is_whole() -> None:
    whole = MULTI_TOOL.rstrip(b"\n")
    assert told(whole) == told(MULTI_TOOL)
    reader = TranscriptReader()
    reader.feed(MULTI_TOOL + b'{"type":"user","mess')
    reader.finish()
    assert (reader.skipped, reader.consumed) == (0, len(MULTI_TOOL))


def test_the_caller_names_session_and_agent() -> None:
    reader = TranscriptReader("mine", agent="a1")
    events = reader.feed((FOLDER / "claude-subagent.subagent.jsonl").read_bytes())
    assert {(event.session, event.agent) for event in events} == {("mine", "a1")}
    assert not any(isinstance(event, PromptGiven | SessionStarted) for event in events)


def test_crlf_byte_order_mark_blank_lines_and_nul_bytes() -> None:
    odd = b"\xef\xbb\xbf" + MULTI_TOOL.replace(b"\n", b"\r\n\r\n  \n\x00\x00\x00")
    reader = TranscriptReader()
    assert reader.feed(odd) + reader.finish() == told(MULTI_TOOL)
    assert reader.skipped == 0


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b'"text"',
        b"[1, 2]",
        b"7",
        b"null",
        b"{",
        b'{"type": "user", "message"',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_object_is_counted_and_passed_over(line: bytes) -> None:
    first, rest = MULTI_TOOL.split(b"\n", 1)
    reader = TranscriptReader()
    assert reader.feed(first + b"\n" + line + b"\n" + rest) + reader.finish() == told(MULTI_TOOL)
    assert reader.skipped == 1


@pytest.mark.parametrize("seed", range(30))
def test_no_broken_file_raises(seed: int) -> None:
    """About 50 broken lines each. What is told can be stored: no event holds text that UTF-8 can not write."""
    rng = Random(seed)
    lines = (FOLDER / rng.choice(NAMES)).read_bytes().splitlines()
    picked = [rng.choice(lines) for _ in range(4)]
    data = mutated_stream([*lines, *(broken for line in picked for broken in mutations(line, rng))], rng)
    reader = TranscriptReader()
    events = []
    while data:
        size = rng.randrange(1, 4_000)
        events += reader.feed(data[:size])
        data = data[size:]
    events += reader.finish()
    msgspec.json.encode(events)
    assert {event.source for event in events} <= {"transcript"}
    keys = [event.key for event in events if event.key]
    assert len(keys) == len(set(keys))
