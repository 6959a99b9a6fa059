"""`leeboard replay`."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.replay import Replayed, play, summary_object, verdict_object
from leeboard.app.views.session import goal_view
from leeboard.errors import EffectError
from leeboard.model.policy import Policy, Profile
from leeboard.model.verdict import Action
from leeboard.surfaces.cli.screen import fields, json_option, print_json, quiet_option, say, screen, words
from leeboard.surfaces.cli.session_view import ending_rows, goal_rows, print_message, print_verdict
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console


_WORTH_A_POOL = 4
_PROFILE = click.Choice(["observe", "advise", "enforce"])


class _Result(msgspec.Struct, frozen=True):
    source: ReplaySource
    played: Replayed | None
    problem: str = ""


@click.command(epilog="Example:  leeboard replay ~/.claude/projects --json > verdicts.jsonl")
@click.argument("files", nargs=-1, required=True)
@click.option("--profile", type=_PROFILE, default="advise", show_default=True, help="Judge as this profile would.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
@click.option("--fail", is_flag=True, help="Exit 1 when an action was off course.")
@json_option
@quiet_option
def command(
    files: tuple[str, ...], profile: Profile, jobs: int | None, *, fail: bool, as_json: bool, quiet: bool
) -> int:
    """Judge recorded sessions as if they happened now.

    FILES are transcripts of Claude Code or rollouts of Codex, folders (every *.jsonl below them), globs, or - for
    stdin. The answers are those a live session would have had, the same every time; nothing is stored. Your settings
    and allowances do not count here.
    """
    sources = find_sources(files)
    problems: list[str] = []
    drifted = False
    console = screen()
    with _progress(len(sources), quiet=quiet) as advance:
        for result in _results(sources, Policy(profile=profile), jobs or _fitting(len(sources))):
            advance()
            problems += _problems(result)
            if result.played is not None:
                drifted = drifted or result.played.session.drifted > 0
                _tell(result.source, result.played, console, as_json=as_json, quiet=quiet)
    if not sources:
        click.echo("leeboard: no *.jsonl file was found there", err=True)
    if problems:
        sys.stdout.flush()
        raise EffectError("; ".join(problems))
    return 1 if fail and drifted else 0


def _results(sources: tuple[ReplaySource, ...], policy: Policy, jobs: int) -> Iterator[_Result]:
    """In the order of the sources, whoever is ready first."""
    work = partial(_replayed, policy=policy)
    if jobs == 1 or len(sources) < 2 or any(source.path == STDIN for source in sources):
        yield from map(work, sources)
        return
    with ProcessPoolExecutor(max_workers=min(jobs, len(sources))) as pool:
        yield from pool.map(work, sources)


def _replayed(source: ReplaySource, policy: Policy) -> _Result:
    try:
        data = read_source(source)
    except OSError as error:
        return _Result(source, None, f"{source.path}: {error.strerror}")
    name = os.path.basename(source.path).removesuffix(".jsonl")  # noqa: PTH119 - names that are no valid text pass
    return _Result(source, play(data, name=name, policy=policy))


def _fitting(files: int) -> int:
    return 1 if files < _WORTH_A_POOL else os.cpu_count() or 1


def _problems(result: _Result) -> list[str]:
    """What is to be complained of in the end; what only turned up in a folder is a note now."""
    if result.problem and not result.source.named:
        say(f"{result.problem}; skipped")
    elif result.played is not None and result.played.skipped_lines:
        lines = counted(result.played.skipped_lines, "line")
        say(f"{result.source.path}: {lines} skipped: not session records")
    return [result.problem] if result.problem and result.source.named else []


def _tell(source: ReplaySource, played: Replayed, console: Console, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        for verdict in played.verdicts:
            print_json(verdict_object(verdict))
        print_json(summary_object(played))
    elif played.session.drifted or not quiet:
        _show(source, played, console)


def _show(source: ReplaySource, played: Replayed, console: Console) -> None:
    session = played.session
    console.print(words((source.path, "bold")))
    fields(goal_rows(goal_view(session)), console)
    for verdict in played.verdicts:
        if verdict.message and verdict.action is Action.INJECT:
            print_message(verdict.message, console)
        elif 0 < verdict.score < 8:
            print_verdict(verdict, console)
            print_message(verdict.message, console)
    fields(ending_rows(session, played.skipped_lines), console)
    console.print()


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[partial[None]]:
    """A bar on stderr where a person waits: there is much to do, and what is found goes somewhere else."""
    console = screen(stderr=True)
    if quiet or total < _WORTH_A_POOL or not console.is_terminal or sys.stdout.isatty():
        yield partial(_nothing)
        return
    from rich.progress import Progress  # noqa: PLC0415 - only a terminal shows it

    # Without its own thread, since processes are forked while it is shown, and without taking over stdout.
    bar = Progress(console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False)
    with bar as progress:
        task = progress.add_task("replaying", total=total)
        yield partial(progress.update, task, advance=1, refresh=True)


def _nothing() -> None:
    return


# Which session files a person means: files, folders, globs and stdin.


STDIN = "-"


class ReplaySource(msgspec.Struct, frozen=True):
    """One session file to read. A path that was given by name has to be there."""

    path: str
    named: bool = False


def find_sources(given: Iterable[str]) -> tuple[ReplaySource, ...]:
    """In the order they were given, each once; inside a folder or glob by name."""
    found = (source for word in given for source in _meant(word))
    unique: dict[str, ReplaySource] = {}
    for source in found:
        unique.setdefault(source.path, source)
    return tuple(unique.values())


def read_source(source: ReplaySource) -> bytes:
    return sys.stdin.buffer.read() if source.path == STDIN else Path(source.path).read_bytes()


def _meant(word: str) -> Iterator[ReplaySource]:
    if word == STDIN:
        yield ReplaySource(STDIN, named=True)
    elif Path(word).is_dir():
        yield from (ReplaySource(path) for path in _session_files(word))
    elif glob.has_magic(word) and not Path(word).exists():
        matched = sorted(glob.glob(word, recursive=True))  # noqa: PTH207 - an absolute pattern is welcome
        yield from (source for path in matched for source in _meant(path))
        if not matched:
            yield ReplaySource(word, named=True)
    else:
        yield ReplaySource(word, named=True)


def _session_files(folder: str) -> list[str]:
    return sorted(
        os.path.join(base, name)  # noqa: PTH118 - names that are no valid text pass through
        for base, _folders, names in os.walk(folder)
        for name in names
        if name.endswith(".jsonl")
    )
