"""Everything the guard needs, looked at piece by piece, and the repair where there is one. Looking changes nothing."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from leeboard.app.hook_checks import check_hooks
from leeboard.app.install.hook_files import short_path
from leeboard.app.install.server_file import SERVER_FILE, server_trouble
from leeboard.app.misses import set_aside
from leeboard.app.missing_store.late import how_many
from leeboard.app.missing_store.spare import PATIENCE
from leeboard.app.settings_files import settings_files
from leeboard.app.views.guard import CheckState, DoctorCheck, ProjectHealth, ago, state_problem
from leeboard.app.views.trust import asleep_text
from leeboard.errors import BusyError, LeeboardError
from leeboard.io.clock import iso, now
from leeboard.io.lock import file_lock
from leeboard.io.places import database, make_private_dir, socket_path, state_dir
from leeboard.io.process import Bounds, run, search_path
from leeboard.store.sqlite import open_store
from leeboard.text.words import counted

FIRST_CLIENT = (2, 1, 142)
"""The first version that reports the end of a batch of calls."""
_CLIENT_SECONDS = 20.0


def all_checks(health: ProjectHealth) -> Iterator[DoctorCheck]:
    yield from check_unguarded(health)
    yield from check_hooks(health)
    yield check_settings(health)
    yield check_trust(health)
    yield from check_server(health)
    yield check_state_dir()
    yield check_database()
    yield check_socket(health)
    yield check_heard(health)
    yield check_misses(health)
    yield check_git()
    yield check_client(health.root)


def check_unguarded(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Goes before all else: what was done meanwhile, nobody looked at."""
    for line in health.unguarded[-1:]:
        yield DoctorCheck(about="guard", state="note", detail=line)


def check_settings(health: ProjectHealth) -> DoctorCheck:
    if health.notes:
        return DoctorCheck(
            about="leeboard.toml", state="failed", detail=f"{'; '.join(health.notes)}; everything else applies"
        )
    if not health.settings.enabled:
        return DoctorCheck(about="leeboard.toml", state="note", detail="LEEBOARD_OFF is set: nothing is watched")
    if health.sleeping_profile:
        detail = f"{health.sleeping_profile}; profile {health.settings.policy.profile} holds"
        return DoctorCheck(about="leeboard.toml", state="note", detail=detail)
    files = settings_files(health.root)
    where = (
        f", from {' and '.join(map(short_path, files))}" if files else "; there is no such file, so the defaults apply"
    )
    return DoctorCheck(about="leeboard.toml", detail=f"profile {health.settings.policy.profile}{where}")


def check_trust(health: ProjectHealth) -> DoctorCheck:
    """What the repository brings and nobody trusted sleeps: that is as it should be, and good to know."""
    if health.trust_problem:
        return DoctorCheck(about="trust", state="failed", detail=health.trust_problem)
    text = asleep_text(health.asleep)
    return DoctorCheck(
        about="trust", state="note" if text else "ok", detail=text or "nothing in this repository is asleep"
    )


def check_server(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Nothing where the workflow is not served here."""
    trouble = server_trouble(health.root)
    if trouble is not None:
        detail = trouble or f"{SERVER_FILE} names a command that is there"
        yield DoctorCheck(about="workflow", state="failed" if trouble else "ok", detail=detail)


def check_state_dir() -> DoctorCheck:
    path = Path(state_dir())
    if problem := state_problem():
        return DoctorCheck(about="state", state="failed", detail=problem)
    if not path.exists():
        return DoctorCheck(about="state", state="note", detail=f"{path} does not exist yet", repair=_make_state_dir)
    seen = path.stat()
    if seen.st_mode & 0o077 and seen.st_uid == os.getuid():
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
    if seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        return DoctorCheck(about="resident", state="failed", detail=f"{path} is not ours alone; remove it")
    running = "answers on" if health.resident else "has ended, but left"
    return DoctorCheck(about="resident", detail=f"{running} {path}")


def check_heard(health: ProjectHealth) -> DoctorCheck:
    if not health.stored.receipts:
        state: CheckState = "note" if health.installed else "ok"
        return DoctorCheck(about="last heard", state=state, detail="no hook has been heard in this project yet")
    newest = health.stored.receipts[0]
    noted = next((receipt.note for receipt in health.stored.receipts if receipt.note), "")
    detail = f"{newest.event}, {ago(newest.ts)}" + (f"; a note: {noted}" if noted else "")
    return DoctorCheck(about="last heard", state="note" if noted else "ok", detail=detail)


def check_misses(health: ProjectHealth) -> DoctorCheck:
    if not health.misses:
        return DoctorCheck(about="misses", detail="every hook was answered")
    detail = f"{counted(len(health.misses), 'hook')} went unanswered, the last: {health.misses[-1]}"
    return DoctorCheck(
        about="misses", state="note", detail=f"{detail}; --fix sets the log aside", repair=_set_misses_aside
    )


def check_git() -> DoctorCheck:
    if shutil.which("git") is None:
        return DoctorCheck(about="git", state="note", detail="not on PATH: what scripts change can not be seen")
    return DoctorCheck(about="git", detail="found")


def check_client(root: str = "") -> DoctorCheck:
    client = shutil.which("claude", path=search_path(os.environ.get("PATH", os.defpath), root))
    if client is None:
        return DoctorCheck(about="client", state="note", detail="`claude` is not on PATH; its version is not known")
    try:
        ran = run((client, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS))
    except (OSError, ValueError) as error:
        return DoctorCheck(about="client", state="note", detail=f"`claude --version` failed: {error}")
    return judge_client(ran.out.decode("utf-8", "replace"))


def judge_client(said: str) -> DoctorCheck:
    """By what `claude --version` printed."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", said)
    if found is None:
        return DoctorCheck(about="client", state="note", detail=f"can not read a version in {said.strip()[:60]!r}")
    if tuple(map(int, found.groups())) < FIRST_CLIENT:
        wanted = ".".join(map(str, FIRST_CLIENT))
        detail = f"Claude Code {found[0]} does not tell where a batch of calls ends; {wanted} does"
        return DoctorCheck(about="client", state="note", detail=detail)
    return DoctorCheck(about="client", detail=f"Claude Code {found[0]}")


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
