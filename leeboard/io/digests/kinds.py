"""What a name of a folder stands for. The first three have a digest; that of a link is the digest of its text."""

from __future__ import annotations

TEXT, BINARY, LINK, SPECIAL, UNREADABLE, CHANGING, UNSEEN = b"tblsuc?"
"""`CHANGING`: it never held still while it was read. `UNSEEN`: the time ran out before it."""
GONE = 0
HASHED = frozenset((TEXT, BINARY, LINK))
DIGEST = 32
NO_DIGEST = bytes(DIGEST)
