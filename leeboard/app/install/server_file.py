"""The MCP server's entry in a project's `.mcp.json`, put in and taken out again."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from leeboard.app.install.hook_files import FileEdit, naming, text_at
from leeboard.app.install.kept_file import put_back, read_bytes, read_record, unchanged, write_over, write_whole
from leeboard.errors import ConfigError
from leeboard.io.process import Bounds, run

NAME = "leeboard"
SERVER_FILE = ".mcp.json"
_PROBE_SECONDS = 20.0


def server_file(root: str) -> str:
    return str(Path(root) / SERVER_FILE)


def entry() -> dict[str, Any]:
    """The plain command where PATH leads to this very installation: the file is shared with others. Else this
    interpreter, so that it starts at all.
    """
    if is_on_path():
        return {"command": NAME, "args": ["mcp"]}
    return {"command": sys.executable, "args": [_isolated(), "-m", "leeboard.surfaces.mcp"]}


def _isolated() -> str:
    """The client starts it in the repository, where a folder `leeboard` must not be taken for ours. An installation
    among the user's own packages is not found by the stricter of the two.
    """
    words = (sys.executable, "-I", "-c", f"import importlib.util as i; raise SystemExit(not i.find_spec({NAME!r}))")
    return "-P" if run(words, "/", os.environ, Bounds(_PROBE_SECONDS)).code else "-I"


def is_on_path() -> bool:
    """Whether whoever types `leeboard` gets this one."""
    found = shutil.which(NAME)
    return found is not None and Path(found).resolve().parent == Path(sys.executable).parent.resolve()


def server_trouble(root: str) -> str | None:
    """Why clients can not start the server that stands here; empty: they can, as far as it shows; None: none stands.

    The file may come from somebody who has `leeboard` on PATH.
    """
    path = server_file(root)
    try:
        servers = _read(path).get("mcpServers")
    except ConfigError as error:
        return str(error)
    standing = servers.get(NAME) if isinstance(servers, dict) else None
    if standing is None:
        return None
    command = standing.get("command") if isinstance(standing, dict) else None
    if isinstance(command, str) and shutil.which(command) is not None:
        return ""
    what = f"{command!r}, which is not on PATH" if isinstance(command, str) else "no command"
    return f"{path}: the server {NAME} runs {what}; `leeboard init --workflow` names this interpreter"


def plan_server(path: str) -> FileEdit:
    """The file with our server among the others. ConfigError where it can not be read."""
    before, found = read_bytes(path), _read(path)
    servers = found.setdefault("mcpServers", {})
    if not isinstance(servers, dict):
        raise ConfigError(f"{path}: mcpServers must be an object")
    if servers.get(NAME) == entry():
        return FileEdit(path=path, before=before, after=before)
    servers[NAME] = entry()
    return FileEdit(path=path, before=before, after=_written(found))


def write_server(change: FileEdit) -> None:
    write_over(change.path, change.after or b"", change.before)


def plan_server_removal(path: str) -> FileEdit | None:
    """As it was where nobody touched it since, else without our entry; None where there is none."""
    record, before = read_record(path), read_bytes(path)
    if before is None:
        return None
    if record is not None and unchanged(record):
        return FileEdit(path=path, before=before, after=record.original)
    found = _read(path)
    servers = found.get("mcpServers")
    if not isinstance(servers, dict) or NAME not in servers:
        return None
    del servers[NAME]
    return FileEdit(path=path, before=before, after=_written(found))


def remove_server(change: FileEdit) -> None:
    if not put_back(change.path, change.after):
        write_whole(change.path, change.after or b"")


def _read(path: str) -> dict[str, Any]:
    text = text_at(path)
    with naming(path):
        try:
            found = json.loads(text) if text.strip() else {}
        except ValueError as error:
            raise ConfigError(f"not valid JSON: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: must be an object")
    return found


def _written(found: dict[str, Any]) -> bytes:
    return (json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode()
