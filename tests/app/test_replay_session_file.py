from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.app.replay import open_reader, sniff
from leeboard.clients.claude_code.transcript import TranscriptReader
from leeboard.clients.codex.rollout import CodexRolloutReader
from leeboard.errors import WireError

FOLDER = Path(__file__).parent.parent / "fixtures" / "transcripts"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_recorded_files_are_known_by_their_start(path: Path) -> None:
    client = path.name.partition("-")[0]
    kind = {"claude": "claude_code", "codex": "codex"}.get(client, "")
    data = path.read_bytes()
    assert {sniff(data), sniff(data[:20_000]), sniff(data[:400]), sniff(data[:120])} == {kind}


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b'{"type":"summary","summary":"Fix add","leafUuid":"u"}\n', "claude_code"),
        (b'{"type":"file-history-snapshot","messageId":"u","snapshot":{}}\n', "claude_code"),
        (b'\n\xef\xbb\xbf{"type":"user","message":{"role":"user","content":"hi"}}\r\n', "claude_code"),
        (b'half a li\n{"parentUuid":null,"type":"user","sessionId":"s"}\n', "claude_code"),
        (b'{"id":"s","timestamp":"T","instructions":null}\n{"record_type":"state"}\n', "codex"),
        (b'{"timestamp":"T","type":"session_meta","payload":{"id":"s","base_instructions":"' + b"x" * 9_000, "codex"),
        (b'{"type":"text"}\n', ""),
        (b"", ""),
        (b"PK\x03\x04", ""),
    ],
)
def test_starts(start: bytes, kind: str) -> None:
    assert sniff(start) == kind


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    assert sniff(data) in ("claude_code", "codex", "")


def test_each_kind_has_its_reader() -> None:
    assert isinstance(open_reader("claude_code", "s", agent="a"), TranscriptReader)
    assert isinstance(open_reader("codex", started=True), CodexRolloutReader)
    with pytest.raises(WireError):
        open_reader("")
