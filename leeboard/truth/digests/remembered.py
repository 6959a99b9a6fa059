"""What is remembered of one folder: its names, and of each file how it looked when it was hashed."""

from __future__ import annotations

from typing import NamedTuple

from leeboard.truth.digests.folder import DIGEST

ALONE = -2
"""Trouble of a top that is no folder but one file: the only name in it is that of the top."""


class FolderDigests(NamedTuple):
    """Plain values, in this order, so that they are written and sent to a worker as they are."""

    path: bytes
    """Below its top; empty for the top itself."""
    identity: bytes
    """When it was listed; empty where the list can not be relied on."""
    names: bytes
    """Of all that is no folder, sorted, with NUL in between."""
    stats: bytes
    """Their identities in columns; blank where the digest can not be relied on."""
    subs: bytes = b""
    """Names of the folders in it, like `names`."""
    shas: bytes = b""
    """A digest for each name; the number of the error where there is none."""
    kinds: bytes = b""
    """One of `kinds` for each name."""
    mark: bytes = b""
    """Of names, kinds and digests: equal marks are equal contents."""
    trouble: int = 0
    """The number of the error when it could not be listed; `ALONE`."""
    shared: bool = False
    """One of the files has a second name, through which it can be written unseen from here."""

    @property
    def all_names(self) -> list[bytes]:
        return self.names.split(b"\0") if self.names else []

    @property
    def all_subs(self) -> list[bytes]:
        return self.subs.split(b"\0") if self.subs else []

    def sha(self, number: int) -> bytes:
        return self.shas[number * DIGEST : (number + 1) * DIGEST]


def below(path: bytes, name: bytes) -> bytes:
    return path + b"/" + name if path else name
