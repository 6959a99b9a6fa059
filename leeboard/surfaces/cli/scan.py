"""`leeboard scan`."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

import leeboard
from leeboard.errors import EffectError
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.model.signal import Disposition
from leeboard.surfaces._scan_files import Target, find_targets
from leeboard.surfaces.cli._archive import opened_archive
from leeboard.surfaces.cli._screen import counted, print_json, screen, words
from leeboard.surfaces.scanner import Found, Scanned, Terms, content_rules, scan
from leeboard.surfaces.settings import read_settings

_RANKS: dict[str, int] = {"log": 0, "queue": 1, "fire": 2, "never": 3}
_STYLES: dict[Disposition, str] = {"FIRE": "bold red", "QUEUE": "yellow", "LOG": "dim"}
_WEIGHT, _LIMIT = click.Choice(["fire", "queue", "log"]), click.Choice(["fire", "queue", "log", "never"])
_KEYS = ("rule", "subclass", "path", "line", "confidence", "disposition", "message")
_LONG = 200
"""Files from which on a person waits."""


@click.command(epilog="Example:  leeboard scan src --sarif > leeboard.sarif")
@click.argument("paths", nargs=-1, required=True)
@click.option("--json", "form", flag_value="json", help="Print JSON for programs, one object a line.")
@click.option("--sarif", "form", flag_value="sarif", help="Print a SARIF 2.1.0 log for code hosts and editors.")
@click.option("--min", "least", type=_WEIGHT, default="log", show_default=True, help="Leave out what weighs less.")
@click.option("--fail-on", type=_LIMIT, default="queue", show_default=True, help="Exit 1 from this weight on.")
@click.option("--no-ignore", is_flag=True, help="Look at what git ignores too.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
def command(
    paths: tuple[str, ...], form: str | None, least: str, fail_on: str, jobs: int | None, *, no_ignore: bool
) -> int:
    """Look for secrets, injections and weak cryptography in files.

    PATHS are files and folders. The rules that judge a text by itself see each file as if it had just been written:
    FIRE is what would interrupt an agent at once, QUEUE what it hears at the next pause, LOG what only the report
    shows. Inside a work tree what git ignores is left out. What the project's settings switch off, and what a person
    has allowed there, is left out too.
    """
    targets, missing = find_targets(paths, ignored_too=no_ignore)
    if missing:
        raise EffectError("; ".join(f"{path}: no such file or folder" for path in missing))
    scanned: list[Scanned] = []
    with _progress(len(targets)) as advance:
        for one in scan(targets, _terms_by_root(targets), jobs or 0):
            advance()
            scanned.append(one)
    found = [item for one in scanned for item in one.found if _rank(item) >= _RANKS[least]]
    _FORMS[form or "screen"](found, scanned)
    return int(max(map(_rank, found), default=-1) >= _RANKS[fail_on])


def _rank(found: Found) -> int:
    return _RANKS[found.disposition.lower()]


def _terms_by_root(targets: tuple[Target, ...]) -> dict[str, Terms]:
    """What each work tree's settings and people say."""
    roots = sorted({target.root for target in targets})
    disabled = {root: read_settings(root, os.environ)[0].policy.disabled_rules for root in roots}
    if not Path(database()).exists():
        return {root: Terms(disabled[root]) for root in roots}
    with opened_archive() as store:
        return {root: Terms(disabled[root], store.allowances(root, "", now())) for root in roots}


def _gaps(scanned: list[Scanned]) -> str:
    """`3 files not analysed: 2 binary, 1 larger than 2 MB`; empty where all were."""
    reasons = Counter(one.problem for one in scanned if one.problem)
    listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    return f"{counted(reasons.total(), 'file')} not analysed: {listed}" if reasons else ""


def _tell_gaps(scanned: list[Scanned]) -> None:
    allowed = sum(one.allowed for one in scanned)
    for text in (_gaps(scanned), f"{counted(allowed, 'finding')} allowed" if allowed else ""):
        if text:
            click.echo(f"leeboard: {text}", err=True)


def _print_objects(found: list[Found], scanned: list[Scanned]) -> None:
    for item in found:
        print_json({key: getattr(item, key) for key in _KEYS})
    _tell_gaps(scanned)


def _print_sarif(found: list[Found], scanned: list[Scanned]) -> None:
    from leeboard.wire.sarif import Result, render  # noqa: PLC0415 - only for who asks for it

    results = [Result(**{field: getattr(item, field) for field in item.__struct_fields__}) for item in found]
    problems = [(one.path, one.problem) for one in scanned if one.problem]
    sys.stdout.write(json.dumps(render(results, content_rules(), leeboard.__version__, problems)) + "\n")
    _tell_gaps(scanned)


def _show(found: list[Found], scanned: list[Scanned]) -> None:
    console = screen()
    for item in found:
        place = f"{item.path}:{item.line}" if item.line else item.path
        kind = f" {item.subclass} {item.rule} {item.confidence:g}"
        console.print(words((f"{item.disposition:<5}", _STYLES[item.disposition]), " ", (place, "bold"), (kind, "dim")))
        console.print(words("      ", item.message))
    weights = Counter(item.disposition for item in found)
    told = ", ".join(f"{weights[name]} {name}" for name in _STYLES)
    console.print(words(f"{counted(len(found), 'finding')} in {counted(len(scanned), 'file')}: {told}"))
    allowed = sum(one.allowed for one in scanned)
    for text in (_gaps(scanned), f"{counted(allowed, 'finding')} left out: allowed by a person" if allowed else ""):
        if text:
            console.print(words((text, "yellow")))


_FORMS: dict[str, Callable[[list[Found], list[Scanned]], None]] = {
    "screen": _show,
    "json": _print_objects,
    "sarif": _print_sarif,
}


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr where a person waits."""
    console = screen(stderr=True)
    if total < _LONG or not console.is_terminal:
        yield _nothing
        return
    from rich.progress import Progress  # noqa: PLC0415 - only a terminal shows it

    # Without its own thread, since processes are forked while it is shown, and without taking over stdout.
    bar = Progress(console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False)
    with bar as progress:
        task = progress.add_task("scanning", total=total)

        def advance() -> None:
            progress.advance(task)
            progress.refresh()

        yield advance


def _nothing() -> None:
    """Nobody watches."""
