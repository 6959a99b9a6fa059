"""Where a work tree's tasks are kept, found by looking at names alone: every hook call asks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import dirname, isdir, isfile, islink, join

from leeboard.contracts import GRAPH, NAMES
from leeboard.errors import ConfigError
from leeboard.io.file import read_start
from leeboard.io.system import abspath, expanduser, realpath

OWN = ".leeboard"


def task_folder(root: str, env: Mapping[str, str]) -> tuple[str, str]:
    """The folder and its kind, `workgraph` or `leeboard`; both empty where nobody keeps tasks.

    `WG_DIR` goes before the folders from the work tree upwards, which go before our own. Two workgraphs in one project
    are a ConfigError: nobody could tell which one is meant.
    """
    given = env.get("WG_DIR", "")
    if given:
        return _given(abspath(expanduser(given))), "workgraph"
    folder = abspath(root)
    while folder:
        found = [join(folder, name) for name in NAMES if isfile(f"{folder}/{name}/{GRAPH}")]
        if len(found) > 1:
            raise ConfigError(f"{folder} has two workgraphs, {' and '.join(NAMES)}: set WG_DIR to the one that counts")
        if found:
            return _inside(found[0], folder), "workgraph"
        parent = dirname(folder)
        folder = parent if parent != folder and not isdir(join(folder, ".git")) else ""
    own = join(root, OWN)
    if isfile(join(own, GRAPH)):
        return own, "leeboard"
    primary = _primary(root)
    return task_folder(primary, env) if primary else ("", "")


def _inside(found: str, folder: str) -> str:
    """What is kept of tasks is written there: a link that came with a repository is not to lead it elsewhere."""
    if islink(found) and not f"{realpath(found)}/".startswith(f"{realpath(folder)}/"):
        raise ConfigError(f"{found} is a link that leads out of {folder}: set WG_DIR to the workgraph that counts")
    return found


def _given(folder: str) -> str:
    """A project's folder stands for the workgraph in it."""
    for name in ("", *NAMES):
        if isfile(join(folder, name, GRAPH)):
            return join(folder, name) if name else folder
    raise ConfigError(f"WG_DIR is {folder}, which has no {GRAPH}")


def _primary(root: str) -> str:
    """The work tree a linked one belongs to: tasks are kept there. Empty for one that is not linked."""
    try:
        pointer = os.fsdecode(read_start(join(root, ".git"), 4096)).removeprefix("gitdir:").strip()
    except OSError:
        return ""
    folder, found, _ = pointer.partition("/.git/worktrees/")
    return folder if found else ""
