"""What one call writes into one file, with the file as it is after it."""

from __future__ import annotations

import msgspec

from leeboard.model.signal import Stage

Span = tuple[int, int]
"""First and last line, counted from one, both included."""


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """`after` is the whole file after the change; only the written text where nobody knows the rest (`fragment`)."""

    path: str
    """Relative to the work tree; empty for the text of a shell line itself."""
    after: str
    before: str | None = None
    """The whole file before; empty for a new file, None where nobody knows it."""
    added: tuple[Span, ...] = ()
    """Lines of `after` that this change wrote."""
    removed: str = ""
    """The lines it took away."""
    fragment: bool = False
    stage: Stage = "DIFF"

    @property
    def is_new(self) -> bool:
        return self.before == ""

    def wrote(self, first: int, last: int = 0) -> bool:
        """Whether one of these lines is new."""
        last = last or first
        return any(start <= last and first <= end for start, end in self.added)

    @property
    def added_count(self) -> int:
        return sum(end - start + 1 for start, end in self.added)


Diffs = tuple[Diff, ...]
