"""Claude Code's session file, read line by line while it grows. Files of every version pass; bad lines are counted."""

from __future__ import annotations

from leeboard.wire._transcript_reader import SessionReader
from leeboard.wire._transcript_teller import TranscriptTeller


class TranscriptReader(SessionReader):
    """Turns the bytes of a transcript into events.

    `agent` names the sub-agent whose own file this is. Give `started` when reading goes on in the middle of a file: its
    start is not told again, and the result of a call proposed before that point has a `call` with nothing but its id.
    """

    def __init__(self, session: str = "", *, agent: str = "", started: bool = False) -> None:
        super().__init__(TranscriptTeller(session, agent, started=started))
