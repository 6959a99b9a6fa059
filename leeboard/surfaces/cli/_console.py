"""The console of rich, but for what it does when nobody reads on."""

from __future__ import annotations

from rich.console import Console


class PlainConsole(Console):
    def on_broken_pipe(self) -> None:
        """Called while a BrokenPipeError is handled; rich would end the process with 1, as if something had failed."""
        raise BrokenPipeError
