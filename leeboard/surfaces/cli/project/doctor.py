"""`leeboard doctor`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from leeboard.app.install.hook_files import short_path, variables_at
from leeboard.app.install.server_file import SERVER_FILE, server_trouble
from leeboard.app.pause import beside_pause
from leeboard.app.settings_files import settings_files
from leeboard.app.team.ship import has_driver, missing_folders
from leeboard.app.team_files import MISSING
from leeboard.app.telemetry.otlp import MISSING as MISSING_OTEL
from leeboard.app.telemetry.otlp import is_installed
from leeboard.app.views.guard import CheckState, DoctorCheck, ProjectHealth, check_view, health_of
from leeboard.app.views.proxy import dead_proxies, traffic_text
from leeboard.app.views.trust import asleep_text
from leeboard.clients import FIRST, first_sign
from leeboard.io.clock import ago
from leeboard.io.places import current_project
from leeboard.model.text import shown
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.project.checks.clients import (
    check_client,
    check_client_trust,
    check_lowered,
    check_posts,
    try_clients,
)
from leeboard.surfaces.cli.project.checks.hooks import check_hooks, check_status_line
from leeboard.surfaces.cli.project.checks.state import check_database, check_misses, check_socket, check_state_dir
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, print_wrapped, quiet_option, screen, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

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
