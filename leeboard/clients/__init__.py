"""The coding agents that can be guarded: each is a folder here, and being there is all it takes.

The package of a client offers what `leeboard.clients.call.Client` says, as functions of its own or as its `CLIENT`. The
folder's name is the client's: a hook line says it with `--client`, a call carries it, and whoever answers finds the
client by it. Beside the code lies `client.txt`, what the client is known by: a hook has to know that of every client,
and imports none of them for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from posixpath import join
from typing import TYPE_CHECKING, Literal, cast

from leeboard.errors import WireError
from leeboard.model.workspace import one_spelling, system_of

if TYPE_CHECKING:
    from leeboard.clients.call import Client
    from leeboard.model.event import Outcome

FIRST = "claude_code"
"""Who speaks where a hook line names nobody: such lines were written before there was another."""

Scope = Literal["local", "project", "user"]
SCOPES: tuple[Scope, ...] = ("local", "project", "user")
"""For whom a settings file counts, most particular first: one person in a project, everybody there, one person."""

Sign = Literal[
    "title",  # what people call the client
    "program",  # the command that tells its version
    "process",  # what the system calls its processes
    "package",  # folders in which its code lies where an interpreter runs it
    "mark",  # a variable that it sets for the commands it runs
    "mark-of-client",  # such a variable that who starts the client may set for the client itself
    "session-variable",  # names the session to the commands it runs
    "project-variable",  # names the project to its hooks alone
    "home-variable",  # names its own folder where that is not the usual one
    "home",  # its own folder
    "project-settings",  # the settings files of a project, relative to it
    "local-settings",
    "user-settings",  # the settings file in its own folder
    "posted-event",  # an event that it can post in place of running our command, and that can refuse nothing
    "mcp-name",  # what it calls itself to a server of tools
    "mcp-seconds",  # how long it lets one call of a tool take, with something to spare
    "lowered",  # what it can not do, and what is done in its place, for people who ask how well they are guarded
    "next-step",  # what its user has to do before it runs our hooks
]


def client_named(name: str) -> Client:
    """The client whose folder has this name. WireError where there is none."""
    try:
        found = import_module(f"leeboard.clients.{name}") if name.isidentifier() else None
    except ModuleNotFoundError:
        found = None
    if found is None or not hasattr(found, "__path__"):
        raise WireError(f"there is no client {name!r}; there are {', '.join(client_names())}")
    return cast("Client", getattr(found, "CLIENT", found))


@cache
def client_names() -> tuple[str, ...]:
    found = {name for folder in __path__ for name in os.listdir(folder)}  # noqa: PTH208 - as the import system does
    return tuple(sorted(name for name in found if name.isidentifier() and not name.startswith("__")))


def signs(client: str, sign: Sign) -> tuple[str, ...]:
    """What a client is known by, in the order of its file."""
    return _read_signs(f"{client}/client.txt").get(sign, ())


def first_sign(client: str, sign: Sign) -> str:
    """The same where there is one at most; empty where there is none."""
    return next(iter(signs(client, sign)), "")


def signs_of_all(sign: Sign) -> tuple[str, ...]:
    """What any coding agent is known by, guarded here or not."""
    known = tuple(found for client in client_names() for found in signs(client, sign))
    return (*known, *_read_signs("other_agents.txt").get(sign, ()))


def settings_path(client: str, scope: Scope, root: str, env: Mapping[str, str]) -> str:
    """Where a settings file of a client lies or would lie; empty where the client has none of that scope."""
    name = first_sign(client, cast("Sign", f"{scope}-settings"))
    if scope != "user" or not name:
        return join(root, name) if name else ""
    home = env.get(first_sign(client, "home-variable")) or os.path.expanduser(first_sign(client, "home"))  # noqa: PTH111 - hooks do without pathlib
    return join(one_spelling(home, system_of(home)), name)


@cache
def _read_signs(file: str) -> dict[str, tuple[str, ...]]:
    """The lines of such a file by what stands before the colon. `surfaces/hook_client` reads them too."""
    try:
        text: bytes = __spec__.loader.get_data(f"{__path__[0]}/{file}")  # type: ignore[union-attr]  # a package's loader reads its files
    except FileNotFoundError:
        return {}  # a folder that an earlier version left behind
    found: dict[str, tuple[str, ...]] = {}
    for line in text.decode().splitlines():
        sign, told, value = line.partition(": ")
        if told and not line.startswith("#"):
            found[sign] = (*found.get(sign, ()), value.strip())
    return found


# How a call ended, by what a client tells the model of it: each says it in words of its own.


def read_result(client: str, text: str, *, is_error: bool) -> tuple[Outcome, str]:
    """The outcome, and the output without what the client wrote around it. Of an unknown client the flag counts."""
    if client not in client_names():
        return ("failed" if is_error else "done"), text
    return client_named(client).read_result(text, is_error=is_error)
