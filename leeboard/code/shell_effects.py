"""What a shell line does, remembered: the way in for everybody who only asks about lines that an agent runs."""

from __future__ import annotations

from functools import lru_cache

from leeboard.model.touch import ShellEffects


@lru_cache(maxsize=64)
def shell_effects(command: str, cwd: str) -> ShellEffects:
    """Each line is asked about when it is proposed and again when it is done."""
    from leeboard.code.shell import understand  # noqa: PLC0415 - as much import cost as all the rest, for shell lines only

    return understand(command, cwd)
