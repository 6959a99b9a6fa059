"""Whether the hooks stand in the settings and really work: the installed line is run, with a canary, by /bin/sh."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from leeboard.errors import LeeboardError
from leeboard.io.clock import now
from leeboard.io.store.sqlite import open_store
from leeboard.surfaces.cli._change_view import shown
from leeboard.surfaces.cli._check import Check
from leeboard.surfaces.cli._health import Health, Hooks
from leeboard.surfaces.cli._hook_place import Place, install, our_command, plan_install

_CANARY = "leeboard-canary"
_CANARY_SECONDS = 20.0


def check_hooks(health: Health) -> Iterator[Check]:
    for held in health.hooks:
        if held.problem:
            yield Check(about="settings", state="failed", detail=held.problem)
        elif held.events:
            yield from _check_held(held)
    if not health.installed:
        yield Check(about="hooks", state="failed", detail="none stand here; `leeboard init` puts them in")


def _check_held(held: Hooks) -> Iterator[Check]:
    where = shown(held.place.path)
    repair = partial(_reinstall, held.place)
    if held.missing:
        detail = f"{where} lacks {', '.join(held.missing)}"
        yield Check(about="hooks", state="failed", detail=detail, repair=repair)
    elif not held.current:
        yield Check(about="hooks", state="note", detail=f"{where} runs another installation", repair=repair)
    else:
        yield Check(about="hooks", detail=f"{len(held.events)} events in {where}")
    for command in held.commands:
        yield _check_command(command, where, held)


def _check_command(command: str, where: str, held: Hooks) -> Check:
    words = shlex.split(command)
    named = [word for word in words if word == words[0] or word.endswith("/hook.py")]
    gone = [word for word in named if word.startswith("/") and not Path(word).is_file()]
    repair = partial(_reinstall, held.place)
    if gone:
        detail = f"{where} names {gone[0]}, which is not there: no hook is answered"
        return Check(about="hook command", state="failed", detail=detail, repair=repair)
    began = now()
    problem = canary(command)
    if problem:
        return Check(about="hook command", state="failed", detail=f"{problem}: {command}", repair=repair)
    return Check(about="hook command", detail=f"answers a canary in {(now() - began) * 1000:.0f} ms, without resident")


def canary(command: str) -> str:
    """Run the line as the client would, on a state of its own; empty when the event arrived there."""
    with tempfile.TemporaryDirectory(prefix="leeboard-canary-") as folder:
        payload = {"session_id": _CANARY, "hook_event_name": "SessionStart", "source": "startup", "cwd": folder}
        env = os.environ | {
            "LEEBOARD_STATE_DIR": str(Path(folder) / "state"),
            "LEEBOARD_RUNTIME_DIR": str(Path(folder) / "run"),
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_OFF": "",
        }
        try:
            ran = subprocess.run(
                ("/bin/sh", "-c", command),
                input=json.dumps(payload).encode(),
                env=env,
                cwd=folder,
                capture_output=True,
                timeout=_CANARY_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            return f"the hook command can not be run ({error})"
        if ran.returncode:
            return f"the hook command ends with {ran.returncode}"
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


def _reinstall(place: Place) -> str:
    install(plan_install(place, our_command()))
    return f"put the hooks into {shown(place.path)} anew"
