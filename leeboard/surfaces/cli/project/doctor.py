"""`leeboard doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leeboard.app.views.guard import DoctorCheck, check_view, health_of
from leeboard.io import system
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.project.client_checks import (
    check_client,
    check_client_trust,
    check_lowered,
    check_posts,
    try_clients,
)
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, print_wrapped, quiet_option, screen, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console
import os
import shlex
import shutil
import sqlite3
import stat
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
    variables_at,
)
from leeboard.app.install.server_file import SERVER_FILE, server_trouble
from leeboard.app.misses import set_aside
from leeboard.app.missing_store.answer import how_many
from leeboard.app.missing_store.fallback_files import PATIENCE
from leeboard.app.pause import beside_pause
from leeboard.app.settings_files import settings_files
from leeboard.app.team.ship import has_driver, missing_folders
from leeboard.app.team_files import MISSING
from leeboard.app.telemetry.otlp import MISSING as MISSING_OTEL
from leeboard.app.telemetry.otlp import is_installed
from leeboard.app.views.guard import CheckState, Hooks, ProjectHealth, state_problem
from leeboard.app.views.proxy import dead_proxies, traffic_text
from leeboard.app.views.trust import asleep_text
from leeboard.clients import FIRST, client_named, first_sign
from leeboard.errors import BusyError, LeeboardError
from leeboard.io.channel import has_unix_sockets
from leeboard.io.clock import ago, iso, now
from leeboard.io.file import file_lock
from leeboard.io.places import database, make_private_dir, socket_path, state_dir
from leeboard.io.process import Bounds, run
from leeboard.model.text import shown
from leeboard.secrets.redaction import redact_shaped
from leeboard.store.sqlite import open_store
from leeboard.text.words import counted

_STYLES = {"ok": "green", "note": "yellow", "failed": "bold red"}


@click.command(epilog="Example:  leeboard doctor --fix")
@click.option("--fix", is_flag=True, help="Repair what can be repaired; nothing is ever deleted.")
@click.option("--probe", is_flag=True, help="Also run the client once by itself, to see which calls its hooks hear of.")
@json_option
@quiet_option
def command(*, fix: bool, probe: bool, as_json: bool, quiet: bool) -> int:
    """Check everything the guard needs.

    The installed hook line is really run, by /bin/sh as Claude Code does it, with a canary on a state of its own. With
    --fix the hooks are put in anew, missing folders made, and a damaged database and the log of unanswered hooks are
    moved aside. With --probe the installed client is run once, in a home and a repository of its own and against a
    scripted model on this machine, so that neither your account nor the network is used: what this version tells its
    hooks (of the main agent, calls side by side, sub-agents, background agents, work trees) is kept for as long as
    you have that version. Exits 1 when something failed; --quiet shows only what is not right.
    """
    if fix:
        require_person("doctor --fix")
    if probe:
        require_person("doctor --probe")
        try_clients(dict.fromkeys((FIRST, *_standing(health_of(current_project())))), current_project())
    checks = tuple(all_checks(health_of(current_project())))
    repairs = [check.repair() for check in checks if fix and check.repair is not None]
    if repairs:
        checks = tuple(all_checks(health_of(current_project())))
    if as_json:
        for check in checks:
            print_view(check_view(check))
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


# Everything the guard needs, looked at piece by piece, and the repair where there is one. Looking changes nothing.


def all_checks(health: ProjectHealth) -> Iterator[DoctorCheck]:
    yield from check_unguarded(health)
    yield from check_hooks(health)
    yield from check_status_line(health)
    yield check_settings(health)
    yield check_trust(health)
    yield from check_server(health)
    yield check_state_dir()
    yield check_database()
    yield check_socket(health)
    yield from check_posts(health.root)
    yield check_heard(health)
    yield from check_life(health)
    yield check_misses(health)
    yield from check_proxy(health)
    yield from check_judge(health)
    yield from check_extras(health)
    yield check_git()
    standing = _standing(health)
    for client in dict.fromkeys((FIRST, *standing)):
        yield from check_client(client, health.root)
    for client in standing:
        yield from check_client_trust(client, health.root)
        yield from check_lowered(client)


def _standing(health: ProjectHealth) -> tuple[str, ...]:
    """The clients with hooks of ours here."""
    return tuple(dict.fromkeys(held.place.client for held in health.hooks if held.events))


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


def check_heard(health: ProjectHealth) -> DoctorCheck:
    if not health.stored.receipts:
        state: CheckState = "note" if health.installed else "ok"
        return DoctorCheck(about="last heard", state=state, detail="no hook has been heard in this project yet")
    newest = health.stored.receipts[0]
    noted = next((one for one in health.stored.receipts if beside_pause(one.note)), None)
    since = f"; a note of {noted.event}, {ago(noted.ts)}: {beside_pause(noted.note)}" if noted else ""
    return DoctorCheck(
        about="last heard", state="note" if noted else "ok", detail=f"{newest.event}, {ago(newest.ts)}{since}"
    )


def check_life(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """What is not heard though it should be, and by whom hooks were really heard here: no promise, an observation."""
    life = health.stored.life
    for line in life.silences:
        yield DoctorCheck(about="silence", state="failed", detail=line)
    if life.pause:
        yield DoctorCheck(about="pause", state="note", detail=life.pause.words)
    before = [hook for hook in life.hooks if hook.event == "PreToolUse" and hook.heard]
    for hook in before:
        parts = (("sub-agents", hook.heard_in_agents), ("linked work trees", hook.heard_in_worktrees))
        told = [f"{name} {ago(heard)}" if heard else f"{name} not observed yet" for name, heard in parts]
        detail = f"{first_sign(hook.client, 'title')}: calls of the main agent {ago(hook.heard)}, {', '.join(told)}"
        yield DoctorCheck(about="coverage", detail=detail)


def check_misses(health: ProjectHealth) -> DoctorCheck:
    if not health.misses:
        return DoctorCheck(about="misses", detail="every hook was answered")
    detail = f"{counted(len(health.misses), 'hook')} went unanswered, the last: {health.misses[-1]}"
    return DoctorCheck(
        about="misses", state="note", detail=f"{detail}; --fix sets the log aside", repair=_set_misses_aside
    )


def check_proxy(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Nothing where no proxy ever carried anything, and no client is led to one."""
    told = (variables_at(held.place) for held in health.hooks if not held.problem)
    for named in dead_proxies((os.environ, *told)):
        detail = f"{named} leads clients to a proxy that does not run: they retry for minutes; take the setting out"
        yield DoctorCheck(about="proxy", state="failed", detail=f"{detail}, or start one with `leeboard proxy`")
    traffic = health.stored.traffic
    if traffic is not None:
        last = f" ({traffic.notes[-1]})" if traffic.notes else ""
        unchecked = f"; {traffic.unchecked} passed before anybody had judged them{last}" if traffic.unchecked else ""
        state: CheckState = "note" if unchecked else "ok"
        yield DoctorCheck(about="proxy", state=state, detail=f"{traffic_text(traffic)}{unchecked}")


def check_judge(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Nothing where no model is to be asked, which is the rule."""
    judge = health.settings.judge
    if judge is None:
        return
    if judge.key_env and not os.environ.get(judge.key_env):
        detail = f"{judge.key_env} is not set here: where the proxy does not have it either, nobody is asked"
        yield DoctorCheck(about="model judge", state="note", detail=detail)
    else:
        detail = f"{judge.model} at {shown(judge.endpoint)}, at most {judge.budget} questions in a session"
        yield DoctorCheck(about="model judge", detail=detail)


def check_extras(health: ProjectHealth) -> Iterator[DoctorCheck]:
    """Of a team and a collector only what keeps them from being told: nothing where none is configured."""
    team, otel = health.settings.team, health.settings.otel
    if team is not None:
        troubles = (*missing_folders(team), *(() if has_driver() else (MISSING,)))
        yield from (DoctorCheck(about="team", state="note", detail=trouble) for trouble in troubles)
    if otel is not None and not is_installed():
        yield DoctorCheck(about="telemetry", state="note", detail=MISSING_OTEL)


def check_git() -> DoctorCheck:
    if shutil.which("git") is None:
        return DoctorCheck(about="git", state="note", detail="not on PATH: what scripts change can not be seen")
    return DoctorCheck(about="git", detail="found")


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


# Whether the hooks are in the settings and really work: the installed line is run, with a canary, by /bin/sh.


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
