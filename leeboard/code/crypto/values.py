"""The values an expression may have."""

from __future__ import annotations

import msgspec

Constant = str | int | bool | None
"""None is the language's own null."""


class Values(msgspec.Struct, frozen=True):
    known: tuple[Constant, ...] = ()
    complete: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(value for value in self.known if isinstance(value, str))

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(value for value in self.known if isinstance(value, int) and not isinstance(value, bool))

    def is_only(self, wanted: Constant) -> bool:
        """Whether it is this and nothing else. `0` is no `False`."""
        return (
            self.complete
            and bool(self.known)
            and all(value is wanted or (value == wanted and type(value) is type(wanted)) for value in self.known)
        )
