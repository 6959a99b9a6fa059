"""Only people loosen: a command that changes what the guard lets pass refuses to run inside an agent."""

from __future__ import annotations

import os
from contextlib import closing

from leeboard.errors import ConfigError, LeeboardError
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.io.store.sqlite import open_store
from leeboard.model.lookup import Receipt
from leeboard.surfaces.agent_marks import agent_above
from leeboard.surfaces.cli._hook_place import here


def require_person(doing: str) -> None:
    """Refuse (ConfigError) inside an agent, and keep a receipt of the attempt. `doing` is the command, in words."""
    mark = agent_above()
    if not mark:
        return
    _keep_receipt(doing)
    raise ConfigError(
        f"only a person may run `leeboard {doing}`, and {mark} says that an agent runs it. "
        "Ask the user to run it in a terminal of their own."
    )


def _keep_receipt(doing: str) -> None:
    try:
        receipt = Receipt(
            ts=now(),
            event="cli",
            outcome="self_allowance",
            session=os.environ.get("CLAUDE_CODE_SESSION_ID", ""),
            note=f"leeboard {doing} was refused inside an agent",
            project=here(),
        )
        with closing(open_store(database())) as store:
            store.receipt(receipt)
    except (LeeboardError, OSError):
        return  # the refusal stands whether or not it can be written down
