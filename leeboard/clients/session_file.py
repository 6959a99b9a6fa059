"""Which client wrote a session file, and the reader for it."""

from __future__ import annotations

import msgspec

from leeboard.clients import client_named, client_names
from leeboard.clients.transcript_lines import SessionReader, mend_json, strip_line

_LINES_READ = 50
_CUT_LINE_READ = 4_000


def sniff(first_bytes: bytes) -> str:
    """The client, by the first lines; empty where it is none that is known. The last line may be cut."""
    *lines, cut = first_bytes[:10_000_000].split(b"\n")
    known = {name: client_named(name) for name in client_names()}
    for line in (*lines[:_LINES_READ], cut):
        parsed = _parsed(strip_line(line))
        found = next((name for name, client in known.items() if client.is_line(parsed)), "") if parsed else ""
        if found:
            return found
    start = strip_line(cut)[:_CUT_LINE_READ]
    return next((name for name, client in known.items() if client.is_start(start)), "")


def open_reader(client: str, session: str = "", *, agent: str = "", started: bool = False) -> SessionReader:
    """WireError where there is no such client."""
    return client_named(client).open_reader(session, agent=agent, started=started)


def _parsed(line: bytes) -> dict[str, object] | None:
    mended = mend_json(line) if line else None
    try:
        parsed = msgspec.json.decode(mended) if mended else None
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
