"""The coding agents that can be guarded: each is a folder here, and being there is all it takes.

The package of a client offers what `leeboard.clients.call.Client` says. The folder's name is the client's: a hook line
says it with `--client`, a call carries it, and whoever answers finds the client by it.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, cast

from leeboard.errors import WireError

if TYPE_CHECKING:
    from leeboard.clients.call import Client

FIRST = "claude_code"
"""Who speaks where a hook line names nobody: such lines were written before there was another."""


def client_named(name: str) -> Client:
    """WireError where there is no such folder."""
    try:
        found = import_module(f"leeboard.clients.{name}") if name.isidentifier() else None
    except ModuleNotFoundError:
        found = None
    if found is None or not hasattr(found, "__path__"):
        raise WireError(f"there is no client {name!r}; there are {', '.join(client_names())}")
    return cast("Client", found)


def client_names() -> tuple[str, ...]:
    found = {name for folder in __path__ for name in os.listdir(folder)}  # noqa: PTH208 - as the import system does
    return tuple(sorted(name for name in found if name.isidentifier() and not name.startswith("__")))
