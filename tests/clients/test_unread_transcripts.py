from __future__ import annotations

from leeboard.clients import unread_transcripts


def test_whatever_stands_in_such_a_file_tells_nothing() -> None:
    reader = unread_transcripts.open_reader("s")
    assert reader.feed(b'{"a": 1}\nnot json\n') == []
    assert (reader.finish(), reader.lines, reader.skipped) == ([], 2, 0)
    assert unread_transcripts.read_result("x", is_error=True) == ("failed", "x")
    assert not unread_transcripts.is_line({"type": "user"})
    assert unread_transcripts.prove((), (), bool, b"") is None
