"""Files whose state somebody vouched for: the surface a project has set to be watched, and what differs from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.truth import ABSENT, DivergenceKind

AcknowledgedBy = Literal["established", "accepted"]
"""Taken as it was when it was first looked at, or accepted by a person."""


class TrackedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it was acknowledged."""

    path: str
    sha256: str
    """Empty: it, or all that lies in it, could not be read then, and is taken as it is once it can be."""
    size: int
    is_binary: bool
    lines: bytes = b""
    """A keyed digest of each line; empty where it is no text, too long, or there are too many files."""
    count: int = 0
    head: str = ""
    """The commit of that time: where the file is in it, its text can be had again."""
    acknowledged_at: float = 0.0
    acknowledged_via: AcknowledgedBy = "established"


class TrackedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A path of the surface that is not as it was acknowledged."""

    path: str
    before: TrackedFile | None
    """None: it is new."""
    sha256: str
    """As it is now; `absent` where it is gone."""
    size: int = 0
    is_binary: bool = False

    @property
    def kind(self) -> DivergenceKind:
        if self.before is None:
            return "new-file-detected"
        return "file-removed" if self.sha256 == ABSENT else "modified"


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What was acknowledged of a surface."""

    patterns: tuple[str, ...]
    """Globs it was looked for by. What only others give is not new, it was not looked at before."""
    files: dict[str, TrackedFile]
