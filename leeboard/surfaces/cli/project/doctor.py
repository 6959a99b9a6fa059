"""`leeboard doctor`."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leeboard.app.guard.off import went_off
from leeboard.app.misses import set_aside
from leeboard.app.missing_store.fallback_files import PATIENCE
from leeboard.app.missing_store.unrecorded import how_many
from leeboard.app.settings_files import settings_files
from leeboard.clients import FIRST, client_named, first_sign
from leeboard.errors import BusyError, LeeboardError
from leeboard.io.clock import iso, now
from leeboard.io.lock import file_lock
from leeboard.io.places import database, make_private_dir, socket_path, state_dir
from leeboard.io.process import Bounds, run, search_path
from leeboard.store.sqlite import open_store
from leeboard.surfaces.cli.change_view import shown
from leeboard.surfaces.cli.check_line import DoctorCheck, State, check_object
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.project.health import ProjectHealth, health_of, state_problem
from leeboard.surfaces.cli.project.hook_checks import check_hooks
from leeboard.surfaces.cli.project.server_file import SERVER_FILE, server_trouble
from leeboard.surfaces.cli.screen import ago, json_option, print_json, print_wrapped, quiet_option, screen, words
from leeboard.surfaces.cli.trust_view import asleep_text
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console


_STYLES = {"ok": "green", "note": "yellow", "failed": "bold red"}


@click.command(epilog="Example:  leeboard doctor --fix")
@click.option("--fix", is_flag=True, help="Repair what can be repaired; nothing is ever deleted.")
@json_option
@quiet_option
def command(*, fix: bool, as_json: bool, quiet: bool) -> int:
    """Check everything the guard needs.

    The installed hook line is really run, by /bin/sh as Claude Code does it, with a canary on a state of its own. With
    --fix the hooks are put in anew, missing folders made, and a damaged database and the log of unanswered hooks are
    moved aside. Exits 1 when something failed; --quiet shows only what is not right.
    """
    if fix:
        require_person("doctor --fix")
    checks = tuple(all_checks(health_of(here())))
    repairs = [check.repair() for check in checks if fix and check.repair is not None]
    if repairs:
        checks = tuple(all_checks(health_of(here())))
    if as_json:
        for check in checks:
            print_json(check_object(check))
        print_json({"kind": "doctor", "failed": _failed(checks), "repairs": repairs})
    else:
        _show(checks, repairs, screen(), quiet=quiet)
    return 1 if _failed(checks) else 0


def _failed(checks: tuple[DoctorCheck, ...]) -> int:
    return sum(check.state == "failed" for check in checks)


def _show(checks: tuple[DoctorCheck, ...], repairs: list[str], console: Console, *, quiet: bool) -> None:
    for repair in repairs:
        console.print(words(("repaired ", "green"), repair))
    for check in checks:
        if not quiet or check.state != "ok":
            head = words((f"{check.state:<7}", _STYLES[check.state]), f"{check.about:<14}")
            print_wrapped(head, words(check.detail), console)
    mended = dict.fromkeys(check.about for check in checks if check.repair is not None and check.state != "ok")
    if mended:
        console.print(words((f"`leeboard doctor --fix` repairs: {', '.join(mended)}", "dim")))


# What the guard needs besides its hooks, looked at piece by piece. Looking changes nothing.


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
    for client in dict.fromkeys((FIRST, *(held.place.client for held in health.hooks if held.events))):
        yield from check_client(client, health.root)


def check_unguarded(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Goes before all else: what was done meanwhile, nobody looked at."""
    for line in went_off(state_dir(), health.root)[-1:]:
        yield DoctorCheck(about="guard", state="note", detail=line)


def check_settings(health: ProjectHealth) -> DoctorCheck:
    if health.notes:
        return DoctorCheck(about="leeboard.toml", state="failed", detail=f"{'; '.join(health.notes)}; all else holds")
    if not health.settings.enabled:
        return DoctorCheck(about="leeboard.toml", state="note", detail="LEEBOARD_OFF is set: nothing is watched")
    if health.sleeping_profile:
        detail = f"{health.sleeping_profile}; profile {health.settings.policy.profile} holds"
        return DoctorCheck(about="leeboard.toml", state="note", detail=detail)
    files = settings_files(health.root)
    where = f", from {' and '.join(map(shown, files))}" if files else "; there is no such file, the defaults hold"
    return DoctorCheck(about="leeboard.toml", detail=f"profile {health.settings.policy.profile}{where}")


def check_trust(health: ProjectHealth) -> DoctorCheck:
    """What the repository brings and nobody trusted sleeps: that is as it should be, and good to know."""
    if health.trust_problem:
        return DoctorCheck(about="trust", state="failed", detail=health.trust_problem)
    text = asleep_text(health.asleep)
    return DoctorCheck(
        about="trust", state="note" if text else "ok", detail=text or "nothing of this repository sleeps"
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
        return DoctorCheck(about="state", state="note", detail=f"{path} is not there yet", repair=_make_state_dir)
    seen = path.stat()
    if seen.st_mode & 0o077 and seen.st_uid == os.getuid():
        mode = stat.filemode(seen.st_mode)
        return DoctorCheck(
            about="state", state="note", detail=f"{path} is open to others ({mode})", repair=_close_state_dir
        )
    return DoctorCheck(about="state", detail=str(path))


def check_database() -> DoctorCheck:
    path = Path(database())
    if state_problem():
        return DoctorCheck(about="database", state="failed", detail="can not be used before the state directory can")
    if not path.exists():
        return DoctorCheck(about="database", detail=f"{path} is made with the first event")
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
    running = "answers on" if health.resident else "is gone, but left"
    return DoctorCheck(about="resident", detail=f"{running} {path}")


def check_heard(health: ProjectHealth) -> DoctorCheck:
    if not health.stored.receipts:
        state: State = "note" if health.installed else "ok"
        return DoctorCheck(about="last heard", state=state, detail="no hook was heard in this project yet")
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


def check_client(client: str = FIRST, root: str = "") -> Iterator[DoctorCheck]:
    """Nothing where the client has no command that tells its version."""
    program = first_sign(client, "program")
    if not program:
        return
    found = shutil.which(program, path=search_path(os.environ.get("PATH", os.defpath), root))
    if found is None:
        detail = f"`{program}` is not on PATH; its version can not be told"
        yield DoctorCheck(about="client", state="note", detail=detail)
        return
    try:
        ran = run((found, "--version"), "/", os.environ, Bounds(_CLIENT_SECONDS))
    except (OSError, ValueError) as error:
        yield DoctorCheck(about="client", state="note", detail=f"`{program} --version` failed: {error}")
        return
    yield judge_client(client, ran.out.decode("utf-8", "replace"))


def judge_client(client: str, said: str) -> DoctorCheck:
    """The check by what the client printed as its version."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", said)
    if found is None:
        return DoctorCheck(about="client", state="note", detail=f"can not read a version in {said.strip()[:60]!r}")
    trouble = client_named(client).settings().version_trouble(tuple(map(int, found.groups())))
    name = f"{first_sign(client, 'title')} {found[0]}"
    return DoctorCheck(about="client", state="note" if trouble else "ok", detail=f"{name} {trouble}".rstrip())


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
