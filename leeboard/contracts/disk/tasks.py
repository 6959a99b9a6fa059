"""The tasks of a work tree: a workgraph's, or our own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import isabs, isfile, join

from leeboard.contracts.disk.workgraph import GRAPH, OWN, Workgraph, task_folder
from leeboard.errors import EffectError
from leeboard.io.file import replace_file

PROGRAM = "wg"


def open_tasks(root: str, env: Mapping[str, str]) -> Workgraph | None:
    """The tasks of a work tree; None where nobody keeps any. A workgraph's are changed through `wg` where there is one.

    Who only reads may do with `Workgraph` itself.
    """
    folder, kind = task_folder(root, env)
    program = _program(env) if kind == "workgraph" else ""
    if not program:
        return Workgraph(folder, kind) if folder else None
    from leeboard.contracts.disk.wg_program import WgProgram  # noqa: PLC0415 - a hook starts no program for it

    return WgProgram(folder, program, env)


def _program(env: Mapping[str, str]) -> str:
    """Where `wg` is, else empty. A folder that is not absolute could be the project's own: it does not count."""
    found = (join(folder, PROGRAM) for folder in env.get("PATH", "").split(":") if isabs(folder))
    return next((path for path in found if isfile(path) and os.access(path, os.X_OK)), "")


def notes_of(tasks: Workgraph | None) -> tuple[str, ...]:
    """What went another way than through the program, for people."""
    return tuple(getattr(tasks, "notes", ()))


def own_tasks(root: str) -> Workgraph:
    """Our own tasks in this work tree; the folder is made when it is missing, and keeps itself out of git."""
    folder = join(root, OWN)
    try:
        os.makedirs(folder, mode=0o755, exist_ok=True)  # noqa: PTH103 - names that are no valid text pass through
    except OSError as error:
        raise EffectError(f"can not make {folder}: {error.strerror or error}") from error
    for name, content in ((".gitignore", b"*\n"), (GRAPH, b"")):
        if not isfile(join(folder, name)):
            replace_file(join(folder, name), content)
    return Workgraph(folder, "leeboard")
