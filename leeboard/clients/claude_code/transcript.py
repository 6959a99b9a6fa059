"""Claude Code's session file, read line by line while it grows. Files of every version pass; bad lines are counted."""

from __future__ import annotations

import re

from leeboard.clients.claude_code.transcript_teller import TranscriptTeller
from leeboard.clients.transcript_reader import SessionReader

START = re.compile(rb'\{"(?:parentUuid": ?(?:null|")|type": ?"(?:summary|queue-operation|file-history-snapshot)")')
"""How the first line of a file begins, where the rest of it is cut off."""


class TranscriptReader(SessionReader):
    """Turns the bytes of a transcript into events.

    `agent` names the sub-agent whose own file this is. Give `started` when reading goes on in the middle of a file: its
    start is not told again, and the result of a call proposed before that point has a `call` with nothing but its id.
    """

    def __init__(self, session: str = "", *, agent: str = "", started: bool = False) -> None:
        super().__init__(TranscriptTeller(session, agent, started=started))
