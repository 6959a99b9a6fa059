"""What the guard of a project stands on, and what of each file counts.

The client writes its settings itself, whenever a person answers "always allow": only our hooks in them, their switch
and our variables count. Of a pyproject.toml only our own table does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import expanduser, isfile, join
from typing import Literal, get_args

import msgspec

from leeboard.app.guard.seen import GuardedFile, Read, look, stamp_of
from leeboard.errors import ConfigError
from leeboard.io import places
from leeboard.model.text import digest
from leeboard.trust.released import FOLDER, What, mark_of

Kind = Literal["client", "settings", "table", "tasks", "trust"]
STANDS = "+"
"""Begins the digest of a client's settings in which our hooks stand."""
_SWITCHED_OFF = "-"
_MOST_RECORDS = 64
_OURS = ("LEEBOARD_", "XDG_")
_TASKS: Kind = "tasks"


def guard_files(root: str, env: Mapping[str, str]) -> dict[str, Kind]:
    """Absolute paths, whether there is such a file or not."""
    home, codex = env.get("CLAUDE_CONFIG_DIR") or expanduser("~/.claude"), expanduser("~/.codex")
    found: dict[str, Kind] = {
        **_client_files(root),
        join(home, "settings.json"): "client",
        join(codex, "hooks.json"): "client",
        join(root, "leeboard.toml"): "settings",
        join(root, "pyproject.toml"): "table",
        join(places.config_dir(), "leeboard.toml"): "settings",
        **dict.fromkeys((join(root, name, "graph.jsonl") for name in (".leeboard", ".wg", ".workgraph")), _TASKS),
        join(places.state_dir(), "trust"): "trust",
        join(places.state_dir(), FOLDER): "trust",
    }
    opened = env.get("CLAUDE_PROJECT_DIR", "")
    return found if not opened or opened == root else {**found, **_client_files(opened)}


def _client_files(folder: str) -> dict[str, Kind]:
    names = (".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json")
    return {join(folder, name): "client" for name in names}


def look_at_guard(path: str, kind: Kind, before: GuardedFile | None, root: str) -> GuardedFile:
    if kind != "trust":
        return look(path, before, _READERS.get(kind, digest))
    stamp = stamp_of(path)
    if before is not None and stamp == before.stamp and not path.endswith(FOLDER):
        return before
    now = _records(path, root)
    if before is not None and (stamp, now) == (before.stamp, before.digest):
        return before
    return GuardedFile(stamp, now, now if before is None else before.first)


def stands(seen: Mapping[str, GuardedFile]) -> bool:
    """Whether our hooks stand in any of the client's settings, and none of them switches hooks off."""
    states = [one.digest[:1] for one in seen.values()]
    return STANDS in states and _SWITCHED_OFF not in states


def _records(folder: str, root: str) -> str:
    """What lies in a folder of ours about trust; of the marks only the project's own."""
    if folder.endswith(FOLDER):
        return digest(repr([stamp_of(mark_of(root, what)) for what in get_args(What)]))
    try:
        names = sorted(os.listdir(folder))[:_MOST_RECORDS]  # noqa: PTH208 - pathlib costs the hook process its import
    except OSError:
        names = []  # no folder holds as little as an empty one
    return digest("".join(f"{name}\0{look(join(folder, name)).digest}\0" for name in names if name.endswith(".json")))


def _client(data: bytes) -> str:
    from leeboard.clients.hook_settings import (  # noqa: PLC0415 - only where such a file is new or changed
        standing_hooks,
    )

    text = data.decode("utf-8", "replace")
    try:
        hooks = standing_hooks(text)
        told = msgspec.json.decode(text.removeprefix("\ufeff") or "{}", type=dict[str, object])
    except (ConfigError, ValueError, RecursionError):
        return digest("unreadable")  # the client reads nothing of it either
    given = told.get("env")
    env = sorted((k, repr(v)) for k, v in given.items() if k.startswith(_OURS)) if isinstance(given, dict) else []
    off = told.get("disableAllHooks") is True
    works = any(event == "PreToolUse" and _runs(command) for event, command in hooks)
    mark = _SWITCHED_OFF if off else STANDS if works else ""
    return mark + digest(repr((sorted(hooks), env, off)))


def _runs(command: str) -> bool:
    """Whether the interpreter and the script that a line of ours names are there."""
    import shlex  # noqa: PLC0415 - as above

    try:
        words = shlex.split(command)
    except ValueError:
        return True  # whatever the shell makes of it
    return all(isfile(word) for word in words if word.startswith("/"))


def _table(data: bytes) -> str:
    if b"leeboard" not in data:
        return "none"
    import tomllib  # noqa: PLC0415 - only where such a file speaks of us

    from leeboard.settings.toml import is_readable  # noqa: PLC0415 - as above

    text = data.decode("utf-8", "replace")
    if not is_readable(text):
        return digest(data)
    try:
        tool = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):
        return digest(data)
    ours = tool.get("leeboard") if isinstance(tool, dict) else None
    return digest(repr(ours)) if ours is not None else "none"


_READERS: dict[Kind, Read] = {"client": _client, "table": _table}
