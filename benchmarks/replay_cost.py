"""Playing a recorded session against merely decoding its lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.replay import replay_bytes

ROUNDS = 30
BYTES = 2_000_000

_RECORDINGS = Path(__file__).parents[1] / "tests" / "fixtures" / "transcripts"
_IDS = re.compile(rb'(toolu_|msg_|"(?:uuid|parentUuid|promptId|requestId)": ?")(?=\w)')
_SESSION = re.compile(rb'"sessionId": ?"[^"]*"')


def measure() -> Iterator[Ratio]:
    data = long_recording()
    lines = data.splitlines()
    taken = in_turns(
        {"decoded": lambda: [json.loads(line) for line in lines], "played": lambda: replay_bytes(data)}, ROUNDS
    )
    detail = f"{milliseconds(taken['played'])} / {milliseconds(taken['decoded'])} for {len(lines)} lines"
    yield Ratio(name="replay / json.loads", ratio=taken["played"] / taken["decoded"], aim=3.0, detail=detail)


def long_recording() -> bytes:
    """The recordings one after the other, again and again, each time with ids of its own."""
    recorded = b"".join(path.read_bytes() for path in sorted(_RECORDINGS.glob("claude-*.jsonl")))
    one_session = _SESSION.sub(b'"sessionId":"recorded"', recorded)
    rounds = range(BYTES // len(one_session) + 1)
    return b"".join(_IDS.sub(rb"\g<1>%dx" % number, one_session) for number in rounds)
