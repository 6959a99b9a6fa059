"""Whether the hooks stand in the settings and really work: the installed line is run, with a canary, by /bin/sh."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from leeboard.app.install.hook_files import SettingsPlace, hook_command, install, our_command, plan_install, short_path
from leeboard.app.views.guard import CheckState, DoctorCheck, Hooks, ProjectHealth
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
    if not health.installed:
        yield DoctorCheck(about="hooks", state="failed", detail="none are installed here; `leeboard init` puts them in")


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
    if gone := _gone(command):
        detail = f"{where} names {gone}, which does not exist: no hook is answered"
        return DoctorCheck(about="hook command", state="failed", detail=detail, repair=repair)
    if command != our_command():
        return _not_run(command, where, held)
    began = now()
    problem = canary()
    if problem:
        return DoctorCheck(about="hook command", state="failed", detail=f"{problem}: {command}", repair=repair)
    return DoctorCheck(
        about="hook command", detail=f"answers a canary in {(now() - began) * 1000:.0f} ms, without the resident"
    )


def _not_run(command: str, where: str, held: Hooks) -> DoctorCheck:
    words = _words(command)
    is_plain = len(words) > _SCRIPT and command == hook_command(words[0], words[_SCRIPT])
    what = "the line of another installation" if is_plain else "a line that Leeboard does not write"
    detail = (
        f"{where} has {what}, which was not run: {command[:_SHOWN]!r}. Find out who put it there; --fix puts the"
        " line of this installation in its place"
    )
    state: CheckState = "note" if is_plain else "failed"
    return DoctorCheck(about="hook command", state=state, detail=detail, repair=partial(_reinstall, held.place))


def _gone(command: str) -> str:
    """A file that the line needs and that is not there."""
    words = _words(command)
    named = [word for word in words if word == words[0] or word.endswith("/hook.py")]
    return shown(redact_shaped(next((word for word in named if word.startswith("/") and not Path(word).is_file()), "")))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return []


def canary() -> str:
    """Run our line as the client would, on a state of its own; empty when the event arrived there."""
    with tempfile.TemporaryDirectory(prefix="leeboard-canary-") as folder:
        payload = {"session_id": _CANARY, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
        env = os.environ | {
            "LEEBOARD_STATE_DIR": str(Path(folder) / "state"),
            "LEEBOARD_RUNTIME_DIR": str(Path(folder) / "run"),
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_OFF": "",
        }
        try:
            line = ("/bin/sh", "-c", our_command())
            ran = run(line, folder, env, Bounds(_CANARY_SECONDS), json.dumps(payload).encode())
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
    install(plan_install(place, our_command()))
    return f"put the hooks into {short_path(place.path)} anew"
