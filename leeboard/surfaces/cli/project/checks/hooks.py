"""Are the hooks in the settings, and do they really work? The installed line is run, with a canary, by /bin/sh."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from leeboard.app.guard.look import gone_program
from leeboard.app.install.hook_files import (
    SettingsPlace,
    hook_command,
    install,
    kept_posts,
    line_command,
    our_command,
    own_status_lines,
    plan_install,
    short_path,
)
from leeboard.app.views.guard import CheckState, DoctorCheck, Hooks, ProjectHealth
from leeboard.clients import FIRST, client_named
from leeboard.errors import LeeboardError
from leeboard.io.clock import now
from leeboard.io.process import Bounds, run
from leeboard.model.text import shown
from leeboard.secrets.redaction import redact_shaped
from leeboard.store.sqlite import open_store

_CANARY = "leeboard-canary"
_CANARY_SECONDS = 20.0
_SCRIPT = 3
"""Which word of our line is the script."""
_SHOWN = 300


def check_hooks(health: ProjectHealth) -> Iterator[DoctorCheck]:
    for held in health.hooks:
        if held.problem:
            yield DoctorCheck(about="settings", state="failed", detail=held.problem)
        elif held.events:
            yield from _check_held(held)
    if not health.installed and health.stored.traffic is None:
        yield DoctorCheck(about="hooks", state="failed", detail="none are installed here; `leeboard init` puts them in")
    elif not health.installed:
        detail = "none are installed here: only what `leeboard run` starts is judged; `leeboard init` puts them in"
        yield DoctorCheck(about="hooks", state="note", detail=detail)


def check_status_line(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Asked for, or nothing is said of it."""
    if any(held.problem for held in health.hooks):
        return
    for path, command in own_status_lines(health.root):
        where = short_path(path)
        if command != line_command():
            detail = f"{where} runs another installation; `leeboard init --statusline` renews it"
            yield DoctorCheck(about="status line", state="note", detail=detail)
            continue
        yield DoctorCheck(about="status line", detail=f"in {where}")


def _check_held(held: Hooks) -> Iterator[DoctorCheck]:
    where = short_path(held.place.path)
    repair = partial(_reinstall, held.place)
    if held.missing:
        detail = f"{where} lacks {', '.join(held.missing)}"
        yield DoctorCheck(about="hooks", state="failed", detail=detail, repair=repair)
    elif not held.current:
        yield DoctorCheck(about="hooks", state="note", detail=f"{where} runs another installation", repair=repair)
    else:
        yield DoctorCheck(about="hooks", detail=f"{len(held.events)} events in {where}")
    for command in held.commands:
        yield _check_command(command, where, held)


def _check_command(command: str, where: str, held: Hooks) -> DoctorCheck:
    """Only the line that we would write ourselves is ever run: settings may come with a repository."""
    repair = partial(_reinstall, held.place)
    if gone := shown(redact_shaped(gone_program(command))):
        detail = f"{where} names {gone}, which does not exist: no hook is answered"
        return DoctorCheck(about="hook command", state="failed", detail=detail, repair=repair)
    if command != our_command(held.place.client):
        return _not_run(command, where, held)
    began = now()
    problem = canary(held.place.client)
    if problem:
        return DoctorCheck(about="hook command", state="failed", detail=f"{problem}: {command}", repair=repair)
    return DoctorCheck(
        about="hook command", detail=f"answers a canary in {(now() - began) * 1000:.0f} ms, without the resident"
    )


def _not_run(command: str, where: str, held: Hooks) -> DoctorCheck:
    words = _words(command)
    client = "" if held.place.client == FIRST else held.place.client
    is_plain = len(words) > _SCRIPT and command == hook_command(words[0], words[_SCRIPT], client)
    what = "the line of another installation" if is_plain else "a line that Leeboard does not write"
    detail = (
        f"{where} has {what}, which was not run: {command[:_SHOWN]!r}. Find out who put it there; --fix puts the"
        " line of this installation in its place"
    )
    state: CheckState = "note" if is_plain else "failed"
    return DoctorCheck(about="hook command", state=state, detail=detail, repair=partial(_reinstall, held.place))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def canary(client: str = FIRST) -> str:
    """Run our line as the client would, with state and cache of its own; empty when the event arrived there."""
    with tempfile.TemporaryDirectory(prefix="leeboard-canary-") as folder:
        payload = client_named(client).settings().first_payload(_CANARY, folder)
        env = os.environ | {
            "LEEBOARD_STATE_DIR": str(Path(folder) / "state"),
            "LEEBOARD_RUNTIME_DIR": str(Path(folder) / "run"),
            "LEEBOARD_CACHE_DIR": str(Path(folder) / "cache"),
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",  # its worker would outlive the folder
            "LEEBOARD_OFF": "",
        }
        try:
            line = ("/bin/sh", "-c", our_command(client))
            ran = run(line, folder, env, Bounds(_CANARY_SECONDS), payload)
        except (OSError, ValueError) as error:
            return f"the hook command can not be run ({error})"
        if ran.code is None:
            return f"the hook command does not end within {_CANARY_SECONDS:g} s"
        if ran.code:
            return f"the hook command ends with {ran.code}"
        return "" if _arrived(str(Path(folder) / "state" / "leeboard.db")) else "the hook command does not answer"


def _arrived(path: str) -> bool:
    if not Path(path).exists():
        return False
    try:
        store = open_store(path)
    except LeeboardError:
        return False
    try:
        return store.session(_CANARY) is not None
    finally:
        store.close()


def _reinstall(place: SettingsPlace) -> str:
    install(plan_install(place, our_command(place.client), posted_to=kept_posts(place)), place.client)
    return f"put the hooks into {short_path(place.path)} anew"
