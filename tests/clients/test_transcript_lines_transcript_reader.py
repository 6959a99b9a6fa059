from __future__ import annotations

from leeboard.clients.transcript_lines import SessionReader
from leeboard.model.event import Event, MessageSaid, TurnEnded


class Parrot:
    """Tells every line, and does not understand one that begins with `?`."""

    def __init__(self) -> None:
        self.told: list[Event] = []

    def tell(self, line: bytes) -> bool:
        if line.startswith(b"?"):
            return False
        self.told.append(MessageSaid(session="s", text=line.decode()))
        return True

    def close(self) -> None:
        self.told.append(TurnEnded(session="s"))


def test_each_event_is_handed_out_once() -> None:
    reader = SessionReader(Parrot())
    assert [event.text for event in reader.feed(b"a\nb\nc") if isinstance(event, MessageSaid)] == ["a", "b"]
    assert reader.feed(b"") == []
    last, ended = reader.finish()
    assert isinstance(last, MessageSaid)
    assert last.text == "c"
    assert isinstance(ended, TurnEnded)


def test_what_is_not_understood_is_counted_but_not_the_half_line() -> None:
    reader = SessionReader(Parrot())
    reader.feed(b"?\n?\na\n\n?")
    reader.finish()
    assert (reader.skipped, reader.lines, reader.consumed) == (2, 4, 7)
