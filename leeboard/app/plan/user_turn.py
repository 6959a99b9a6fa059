"""Which prompts are turns of a person in a workflow, and by which name each is kept."""

from __future__ import annotations

from collections.abc import Callable

from leeboard.model.digest import digest
from leeboard.model.event import PromptGiven
from leeboard.wire.human_words import BUILT_IN_COMMANDS

MOMENT = 2
"""Seconds within which the same words are one prompt that came in twice."""


def says_something(spoke: PromptGiven, prompt: str) -> bool:
    """Whether it is more than steering the client. A picture is; so is a command of the project's own."""
    first, *rest = spoke.text.split(maxsplit=2) or [""]
    steers = first.startswith("/") and first[1:] in BUILT_IN_COMMANDS and len(rest) < 2
    own_command = bool(spoke.command) and spoke.command.lstrip("/") not in BUILT_IN_COMMANDS
    return (bool(spoke.text) and not steers) or own_command or "[Image" in prompt


def turn_name(spoke: PromptGiven, is_kept: Callable[[str], bool]) -> str:
    """The prompt's own id; where it has none, the same for the same words a moment ago. `is_kept` knows that one."""
    if spoke.key:
        return spoke.key.removeprefix("prompt:")
    words = digest(f"{spoke.command} {spoke.text}")
    moment = int(spoke.time // MOMENT)
    before, now = (f"{spoke.session}:{words}:{one}" for one in (moment - 1, moment))
    return before if is_kept(before) else now
