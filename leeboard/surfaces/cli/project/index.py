"""`leeboard index`."""

from __future__ import annotations

import os
from typing import Any

import click

from leeboard.app.indexing import start_refresh
from leeboard.io.clock import ago, iso
from leeboard.io.places import project_root
from leeboard.io.system import abspath
from leeboard.model.symbol import Habit
from leeboard.source.index.refresh import Refreshed, refresh
from leeboard.source.index.state import IndexState, read_state
from leeboard.surfaces.cli.screen import fields, json_option, print_json, screen
from leeboard.text.words import counted


@click.command(epilog="Example:  leeboard index --wait")
@click.argument("path", type=click.Path(exists=True, file_okay=False), default=".")
@click.option("--wait", is_flag=True, help="Bring it up to date first, however long that takes.")
@json_option
def command(path: str, *, wait: bool, as_json: bool) -> int:
    """What is known of the code of this work tree, and how it does things.

    Rules about duplicates and patterns ask an index of names, imports and functions. It lies in your cache directory,
    is refreshed in the background when a session starts, at its prompts and after its writes, and may be deleted at any
    time. This command starts a refresh where one is due. Exits 5 with --wait when the index can not be written.
    """
    root = project_root(abspath(path))
    done = refresh(root) if wait else Refreshed()
    started = not wait and start_refresh(root, os.environ)
    state = read_state(root)
    if as_json:
        print_json(_object(root, state, done, started=started))
    else:
        fields(_rows(root, state, done, started=started), screen())
    return 5 if done.note.startswith("can not") else 0


def _rows(root: str, state: IndexState, done: Refreshed, *, started: bool) -> list[tuple[str, str]]:
    rows = [("work tree", root), ("index", f"{state.path} ({_size(state.size)})" if state.exists else "none yet")]
    if state.exists:
        rows.append(("files", f"{state.files}, refreshed {ago(state.refreshed)}"))
        left = f", {counted(state.pending, 'file')} still to be parsed" if state.pending else ""
        rows.append(("functions", f"{state.functions} large enough to compare{left}"))
        rows += [("habit" if number == 0 else "", _habit(habit)) for number, habit in enumerate(state.habits)]
    if started:
        rows.append(("refresh", "started in the background"))
    if done.note:
        rows.append(("note", done.note))
    return rows


def _habit(habit: Habit) -> str:
    if habit.role == "instruction":
        return f"{habit.usual}, not {habit.others[0]} ({habit.where})"
    return f"{habit.role}: {habit.usual} ({habit.support} of {habit.users} files)"


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


def _object(root: str, state: IndexState, done: Refreshed, *, started: bool) -> dict[str, Any]:
    return {
        "kind": "index",
        "root": root,
        "path": state.path,
        "exists": state.exists,
        "complete": state.exists and state.pending == 0,
        "files": state.files,
        "functions": state.functions,
        "pending": state.pending,
        "bytes": state.size,
        "refreshed": iso(state.refreshed) if state.exists else None,
        "started": started,
        "note": done.note,
        "habits": [
            {
                "role": item.role,
                "usual": item.usual,
                "others": list(item.others),
                "support": item.support,
                "users": item.users,
            }
            for item in state.habits
        ],
    }
