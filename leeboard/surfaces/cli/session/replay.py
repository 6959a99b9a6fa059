"""`leeboard replay`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.engine.cluster import Cluster
from leeboard.app.engine.side_by_side import side_by_side
from leeboard.app.replay import (
    Replayed,
    ReplayTotals,
    in_order,
    play_recording,
    read_recording,
    summary_object,
    totals_object,
    verdict_object,
)
from leeboard.app.session_files import STDIN, SessionSource, find_sources, read_source
from leeboard.app.views.session import goal_view
from leeboard.errors import EffectError
from leeboard.model.verdict import Action
from leeboard.rule import with_code
from leeboard.settings.settings import Settings
from leeboard.surfaces.cli.screen import fields, json_option, print_json, quiet_option, say, screen, words
from leeboard.surfaces.cli.session.judged_by import (
    JudgedBy,
    chosen_cluster,
    fitting_jobs,
    on_option,
    session_bar,
    settings_options,
)
from leeboard.surfaces.cli.session_view import ending_rows, goal_rows, print_message, print_verdict
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text


class _Result(msgspec.Struct, frozen=True):
    source: SessionSource
    played: Replayed | None
    problem: str = ""


@click.command(epilog="Example:  leeboard replay ~/.claude/projects --json > verdicts.jsonl")
@click.argument("files", nargs=-1, required=True)
@settings_options
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
@on_option
@click.option("--fail", is_flag=True, help="Exit 1 when an action was off course.")
@click.option("--totals", is_flag=True, help="With --json: end with an object about all sessions together.")
@json_option
@quiet_option
def command(files: tuple[str, ...], by: JudgedBy, jobs: int | None, on: str, **flags: bool) -> int:
    """Judge recorded sessions as if they happened now.

    FILES are transcripts of Claude Code or rollouts of Codex, folders (every *.jsonl below them), globs, or - for
    stdin. The answers are those a live session would have had, the same every time under the same settings; nothing is
    stored. The settings are those of the project this runs in; allowances do not count here.
    """
    as_json, quiet = flags["as_json"], flags["quiet"]
    sources = find_sources(files)
    problems: list[str] = []
    totals, console = ReplayTotals(), screen()
    shown = not quiet and not sys.stdout.isatty()
    with chosen_cluster(on, jobs) as cluster, session_bar("replaying", len(sources), shown=shown) as advance:
        for result in _results(sources, by.chosen.settings, jobs or fitting_jobs(len(sources)), cluster):
            advance()
            problems += _problems(result)
            if result.played is not None:
                totals.add(result.played)
                _tell(result.source, result.played, console, as_json=as_json, quiet=quiet)
    if as_json and flags["totals"]:
        print_json(totals_object(totals))
    elif totals.sessions and not as_json and not quiet:
        fields(_total_rows(totals, by), console)
    if not sources:
        click.echo("leeboard: no *.jsonl file was found there", err=True)
    if problems:
        sys.stdout.flush()
        raise EffectError("; ".join(problems))
    return 1 if flags["fail"] and totals.off_course else 0


def _total_rows(totals: ReplayTotals, by: JudgedBy) -> list[tuple[str, Text | str]]:
    judged = f"{counted(totals.sessions, 'session')}, {counted(totals.scored, 'action')} scored, "
    rows: list[tuple[str, Text | str]] = [("totals", f"{judged}{totals.off_course} off course")]
    rows += [("answers", _listed(in_order(totals.actions)) or "nothing but let pass")]
    rows += [(with_code(rule), _listed(in_order(counts))) for rule, counts in sorted(totals.rules.items())]
    return [*rows, ("judged by", by.chosen.source)]


_ANSWERS = {"LOG": "noted", "QUEUE": "kept for a pause", "INJECT": "told", "ASK": "asked", "DENY": "refused"}


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {_ANSWERS.get(name, name.lower())}" for name, number in counts.items())


def _results(
    sources: tuple[SessionSource, ...], settings: Settings, jobs: int, cluster: Cluster | None
) -> Iterator[_Result]:
    """In the order of the sources, whoever is ready first."""
    if cluster is not None:
        yield from cluster.each(partial(_played, settings=settings), map(_read, sources))
        return
    work = partial(_replayed, settings=settings)
    if jobs == 1 or len(sources) < 2 or any(source.path == STDIN for source in sources):
        yield from map(work, sources)
        return
    yield from side_by_side(work, sources, jobs, "-j 1 needs less")


class _Read(msgspec.Struct, frozen=True):
    source: SessionSource
    data: bytes
    problem: str = ""


def _read(source: SessionSource) -> _Read:
    try:
        return _Read(source, read_source(source))
    except OSError as error:
        return _Read(source, b"", f"{source.path}: {error.strerror}")


def _replayed(source: SessionSource, settings: Settings) -> _Result:
    return _played(_read(source), settings)


def _played(read: _Read, settings: Settings) -> _Result:
    source = read.source
    if read.problem:
        return _Result(source, None, read.problem)
    try:
        return _Result(source, play_recording(read_recording(read.data, source.stem), settings))
    except (RecursionError, MemoryError) as error:
        return _Result(source, None, f"{source.path}: it could not be judged: {error or type(error).__name__}")


def _problems(result: _Result) -> list[str]:
    """What is to be complained of in the end; what only turned up in a folder is a note now."""
    if result.problem and not result.source.named:
        say(f"{result.problem}; skipped")
    elif result.played is not None and result.played.skipped_lines:
        lines = counted(result.played.skipped_lines, "line")
        say(f"{result.source.path}: {lines} skipped: not session records")
    return [result.problem] if result.problem and result.source.named else []


def _tell(source: SessionSource, played: Replayed, console: Console, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        for verdict in played.verdicts:
            print_json(verdict_object(verdict))
        print_json(summary_object(played))
    elif played.session.drifted or not quiet:
        _show(source, played, console)


def _show(source: SessionSource, played: Replayed, console: Console) -> None:
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
