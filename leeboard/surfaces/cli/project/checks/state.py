"""Can what the guard keeps be read and written: state directory, database, resident and the log of unanswered hooks."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

from leeboard.app.misses import set_aside
from leeboard.app.missing_store.answer import how_many
from leeboard.app.missing_store.fallback_files import PATIENCE
from leeboard.app.views.guard import DoctorCheck, ProjectHealth, state_problem
from leeboard.errors import BusyError, LeeboardError
from leeboard.io import system
from leeboard.io.channel import has_unix_sockets
from leeboard.io.clock import iso, now
from leeboard.io.file import file_lock
from leeboard.io.places import database, make_private_dir, socket_path, state_dir
from leeboard.store.sqlite import open_store
from leeboard.text.words import counted


def check_state_dir() -> DoctorCheck:
    path = Path(state_dir())
    if problem := state_problem():
        return DoctorCheck(about="state", state="failed", detail=problem)
    if not path.exists():
        return DoctorCheck(about="state", state="note", detail=f"{path} does not exist yet", repair=_make_state_dir)
    seen = path.stat()
    if seen.st_uid == system.user() and not system.is_private(seen):
        mode = stat.filemode(seen.st_mode)
        return DoctorCheck(
            about="state", state="note", detail=f"{path} can be read by others ({mode})", repair=_close_state_dir
        )
    return DoctorCheck(about="state", detail=str(path))


def check_database() -> DoctorCheck:
    path = Path(database())
    if state_problem():
        return DoctorCheck(about="database", state="failed", detail="can not be used until the state directory can")
    if not path.exists():
        return DoctorCheck(about="database", detail=f"{path} is created with the first event")
    try:
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        connection.close()
    except sqlite3.Error as error:
        found = str(error)
    if found != "ok":
        detail = f"{path} is damaged: {found}; --fix moves it aside, and the next event makes a new one"
        return DoctorCheck(about="database", state="failed", detail=detail, repair=_set_database_aside)
    if unusable := _unusable(str(path)):
        return DoctorCheck(about="database", state="failed", detail=unusable)
    waits = how_many()
    late = f"; {counted(waits, 'answer')} given without it {'waits' if waits == 1 else 'wait'} for the next hook"
    detail = f"{path}, {path.stat().st_size / 1024:.0f} KiB, sound{late if waits else ''}"
    return DoctorCheck(about="database", detail=detail)


def _unusable(path: str) -> str:
    """Why hooks can not use a sound database; empty where they can. Tried as a hook does it."""
    try:
        open_store(path, patience=PATIENCE).close()
        with file_lock(f"{path}.lock", PATIENCE):
            return ""
    except BusyError as error:
        return f"{error}; `fuser {path}.lock` names it, and ending it frees the lock"
    except LeeboardError as error:
        return str(error)


def check_socket(health: ProjectHealth) -> DoctorCheck:
    try:
        path = Path(socket_path())
    except LeeboardError as error:
        return DoctorCheck(about="resident", state="failed", detail=str(error))
    if not path.exists():
        return DoctorCheck(about="resident", detail="does not run; the next hook starts it")
    seen = path.stat()
    if not system.is_private(seen):
        return DoctorCheck(about="resident", state="failed", detail=f"{path} is not ours alone; remove it")
    running = "answers on" if health.resident else "has ended, but left"
    where = path if has_unix_sockets() else f"a port of 127.0.0.1, which {path} names"
    return DoctorCheck(about="resident", detail=f"{running} {where}")


def check_misses(health: ProjectHealth) -> DoctorCheck:
    if not health.misses:
        return DoctorCheck(about="misses", detail="every hook was answered")
    detail = f"{counted(len(health.misses), 'hook')} went unanswered, the last: {health.misses[-1]}"
    return DoctorCheck(
        about="misses", state="note", detail=f"{detail}; --fix sets the log aside", repair=_set_misses_aside
    )


def _make_state_dir() -> str:
    make_private_dir(state_dir())
    return f"made {state_dir()}"


def _close_state_dir() -> str:
    Path(state_dir()).chmod(0o700)
    return f"closed {state_dir()} to others"


def _set_misses_aside() -> str:
    return f"moved what is known of unanswered hooks to {set_aside(state_dir())}"


def _set_database_aside() -> str:
    """Renamed, not removed: whoever knows SQLite can still recover rows from it."""
    aside = f"{database()}.damaged-{iso(now()).replace(':', '')}"
    for ending in ("", "-wal", "-shm"):
        held = Path(database() + ending)
        if held.exists():
            held.rename(aside + ending)
    return f"moved the damaged database to {aside}; the next event makes a new one"
