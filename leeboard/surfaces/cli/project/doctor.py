"""`leeboard doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leeboard.app.doctor import all_checks
from leeboard.app.views.guard import DoctorCheck, check_view, health_of
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_view, print_wrapped, quiet_option, screen, words

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
