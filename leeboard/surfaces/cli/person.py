"""Only people loosen: a command that changes what the guard lets pass needs a person in front of it.

A person has a terminal, and no agent and no gate of ours runs them: by the environment of the command, of the processes
above it and of its session. A terminal that an agent makes itself (`script`, `tmux`) has that agent above it still; a
process that was let go of by all above it has no terminal. What a gate started is known by its limits. A
command of an agent's that is let go of, makes itself a terminal, and brings a clean environment, is taken for a
person: nothing on the machine tells the two apart.
"""

from __future__ import annotations

import os
from contextlib import closing

from leeboard.app.hook_origin import agent_above
from leeboard.clients import signs_of_all
from leeboard.errors import ConfigError, LeeboardError
from leeboard.io import system
from leeboard.io.clock import now
from leeboard.io.parents import GATE_MARK, LIMIT_MARK
from leeboard.io.places import current_project, database
from leeboard.model.lookup import Receipt

_TERMINAL = "/dev/tty"
"""The terminal that controls this process, whatever stdin and stdout are; where there is none it can not be opened."""


def require_person(doing: str) -> None:
    """Refuse (ConfigError) where no person is in front of it, and keep a receipt of the attempt. `doing` is the
    command, in words.
    """
    require_no_agent(doing)
    if not _has_terminal():
        _keep_receipt(doing, "was refused without a terminal")
        raise ConfigError(
            f"only a person may run `leeboard {doing}`, and there is no terminal here. "
            "Run it in a terminal of your own; a script, a container's build or a build server can not decide this."
        )


def require_no_agent(doing: str) -> None:
    """The same for what loosens nothing: a script may do it, an agent and a gate may not."""
    mark = agent_above()
    if not mark:
        return
    who = "a quality gate or an acceptance command" if mark in {GATE_MARK, LIMIT_MARK} else "an agent"
    _keep_receipt(doing, f"was refused inside {who}")
    raise ConfigError(
        f"only a person may run `leeboard {doing}`, and {mark} says that {who} runs it. "
        "Ask the user to run it in a terminal of their own."
    )


def is_person() -> bool:
    """Whether what is said here counts as a person's word; for what others may do too."""
    return not agent_above() and _has_terminal()


def _has_terminal() -> bool:
    try:
        os.close(os.open(_TERMINAL, os.O_RDONLY | system.NOCTTY | system.NONBLOCK | system.CLOEXEC))
    except OSError:
        return False
    return True


def _keep_receipt(doing: str, why: str) -> None:
    from leeboard.store.sqlite import open_store  # noqa: PLC0415 - where somebody is refused

    try:
        receipt = Receipt(
            ts=now(),
            event="cli",
            outcome="self_allowance",
            session=next(filter(None, map(os.environ.get, signs_of_all("session-variable"))), ""),
            note=f"leeboard {doing} {why}",
            project=current_project(),
        )
        with closing(open_store(database())) as store:
            store.receipt(receipt)
    except (LeeboardError, OSError):
        return  # the refusal stands whether or not it can be written down
