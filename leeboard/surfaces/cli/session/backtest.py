"""`leeboard backtest`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from leeboard.app.allowances import parse_span
from leeboard.app.backtest.finished import forget_old, judge_digest
from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.opinions import NONE, OPINIONS, Labels, Opinion, read_labels, read_opinions, write_opinion
from leeboard.app.backtest.page import BacktestPage, PassedOver, Selection, page_objects, page_of
from leeboard.app.backtest.run import Basis, JudgedFile, run_sessions
from leeboard.app.backtest.tally import labelled, own_opinions
from leeboard.app.engine.cluster import Cluster
from leeboard.app.session_files import SessionSource, client_folders, find_sources, joined
from leeboard.app.views.rules import find_rule
from leeboard.errors import ConfigError, EffectError
from leeboard.io.clock import now
from leeboard.io.file import replace_file
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, printable, quiet_option, say, screen, words
from leeboard.surfaces.cli.session.backtest_view import markdown_of, show_message, show_messages, show_tally
from leeboard.surfaces.cli.session.judged_by import (
    JudgedBy,
    chosen_cluster,
    fitting_jobs,
    on_option,
    session_bar,
    settings_options,
)
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

_NOTES_SHOWN = 10
_TENTHS = 10
_MARK = (str, click.Choice([*OPINIONS, NONE]))


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for beside the sessions."""

    since: str
    rule: str
    session: str
    page: int | None
    ask: bool
    mark: tuple[tuple[str, str], ...]
    labels: str
    html: str
    as_markdown: bool
    as_json: bool
    quiet: bool

    @property
    def narrows(self) -> bool:
        """Some messages were asked for, and nothing but to see them."""
        return bool(self.rule or self.session) and not (self.ask or self.mark or self.html)

    @property
    def selection(self) -> Selection:
        return Selection(rule=find_rule(self.rule).id if self.rule else "", session=self.session)


@click.command(epilog="Example:  leeboard backtest --since 30d --page 1")
@click.argument("paths", nargs=-1)
@click.option("--since", metavar="SPAN", default="", help="Only sessions that ended within: 12h, 30d, 8w.")
@settings_options
@click.option("--rule", metavar="RULE", default="", help="Show messages of this rule only, by name or code.")
@click.option("--session", metavar="ID", default="", help="Show messages of this session only: its id or file.")
@click.option("--page", type=click.IntRange(1), help="Show the messages themselves, ten a page.")
@click.option("--ask", is_flag=True, help="Show messages one by one and ask whether each was right.")
@click.option("--mark", type=_MARK, nargs=2, multiple=True, help="Say of a message: yes, no, unsure or none.")
@click.option("--labels", metavar="FILE", default="", help="Take what was right from this file, not from you.")
@click.option("--html", metavar="FILE", default="", help="Write a page with all of it; - prints it.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the figures as a Markdown table.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Processes to use; as many as cores for many files.")
@on_option
@json_option
@quiet_option
def command(paths: tuple[str, ...], by: JudgedBy, jobs: int | None, on: str, **asked: Any) -> int:
    """What Leeboard would have said over recorded sessions, and whether it was right.

    PATHS are session files, folders (every *.jsonl below them) or globs; without any, all that the clients here have
    kept. Each session goes by the settings of its own project where that is still there, else by those of the project
    this runs in. What you answer to --ask stays in your state directory and gives the share that was right, by rule.
    Sessions that are finished are remembered: interrupted, the same command goes on.
    """
    request = _Request(**asked)
    _check(request)
    selection, labels = request.selection, read_labels(request.labels) if request.labels else None
    if labels is None:
        read_opinions()  # what is wrong with them is told before minutes are spent
    with chosen_cluster(on, jobs) as cluster:
        judged = _run(paths, _basis(by, request.since), jobs, cluster, quiet=request.quiet)
    page = _page(judged, labels, selection)
    _check_session(page, selection)
    if request.mark:
        _mark(request.mark, page)
        page = _page(judged, labels, selection)
    if request.ask:
        walk(page, screen())
        page = _page(judged, labels, selection)
    _tell_notes(page, labels, quiet=request.quiet)
    _tell(page, request)
    named = [f"{one.path}: {one.problem}" for one in page.passed_over if one.named]
    if named:
        sys.stdout.flush()
        raise EffectError("; ".join(named))
    return 0


def _check(request: _Request) -> None:
    """Refuse what can not be done before anything is judged."""
    if request.labels and (request.ask or request.mark):
        raise click.UsageError("--labels says what was right: leave out --ask and --mark", click.get_current_context())
    if request.ask or request.mark:
        require_person("backtest --ask" if request.ask else "backtest --mark")


def _check_session(page: BacktestPage, selection: Selection) -> None:
    """A name with a typing error in it would look like a session in which nothing was said."""
    if selection.session and not selection.sessions(page.heard):
        raise ConfigError(
            f"none of these {counted(len(page.heard), 'session')} is {selection.session!r}; "
            "--session takes the start of an id or the name of a file without .jsonl, and --json lists both"
        )


def _basis(by: JudgedBy, since: str) -> Basis:
    return Basis(
        chosen=by.chosen,
        for_all=by.for_all,
        profile=by.profile,
        since=now() - parse_span(since) if since else 0.0,
        judge=judge_digest(),
    )


def _run(
    paths: Sequence[str], basis: Basis, jobs: int | None, cluster: Cluster | None, *, quiet: bool
) -> list[JudgedFile]:
    sources = _sources(paths)
    judged: list[JudgedFile] = []
    try:
        with _progress(len(sources), quiet=quiet) as advance:
            for one in run_sessions(sources, basis, jobs or fitting_jobs(len(sources)), cluster):
                advance()
                judged.append(one)
    except KeyboardInterrupt:
        say(f"{len(judged)} of {counted(len(sources), 'session')} done and kept; the same command goes on from there")
        raise
    forget_old()
    return judged


def _sources(paths: Sequence[str]) -> tuple[SessionSource, ...]:
    folders = paths or client_folders(os.environ)
    found = joined(find_sources(folders))
    if not folders:
        say("no client has kept a transcript here; name files or folders")
    elif not found:
        say("no *.jsonl file was found there")
    return found


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, else a line for each tenth of many."""
    if sys.stderr.isatty() or quiet or total < 2 * _TENTHS:
        with session_bar("judging", total, shown=not quiet) as advance:
            yield advance
        return
    yield partial(_count, iter(range(1, total + 1)), total)


def _count(numbers: Iterator[int], total: int) -> None:
    number = next(numbers)
    if number * _TENTHS // total > (number - 1) * _TENTHS // total:
        say(f"{number} of {total} sessions")


def _page(judged: Sequence[JudgedFile], labels: Labels | None, selection: Selection) -> BacktestPage:
    return page_of(judged, labelled(labels) if labels else own_opinions(read_opinions()), selection)


def _mark(marks: Sequence[tuple[str, str]], page: BacktestPage) -> None:
    """All of them or none: each id is looked for first."""
    known = {remark.id: remark for one in page.heard for remark in one.remarks}
    for id_, _opinion in marks:
        if id_ not in known:
            raise ConfigError(f"no message {id_!r} was said in these sessions; --page 1 shows them with their ids")
    for id_, opinion in marks:
        write_opinion(known[id_], opinion)


def _tell_notes(page: BacktestPage, labels: Labels | None, *, quiet: bool) -> None:
    found = [_passed_over(one) for one in page.passed_over if not one.named]
    for note in found[:_NOTES_SHOWN]:
        say(note)
    if len(found) > _NOTES_SHOWN:
        say(f"and {counted(len(found) - _NOTES_SHOWN, 'file')} more passed over; --json lists all")
    torn = [one for one in page.heard if one.skipped_lines]
    if torn:
        lines = counted(sum(one.skipped_lines for one in torn), "line")
        say(f"{lines} in {counted(len(torn), 'file')} passed over, being no session record")
    for note in page.notes:
        say(note)
    if labels is not None and labels.unused and not quiet:
        say(f"{counted(labels.unused, 'label')} about messages that are not said in these sessions")


def _passed_over(one: PassedOver) -> str:
    return f"{one.path}: {one.problem}; passed over"


def _tell(page: BacktestPage, request: _Request) -> None:
    if request.html:
        _write_html(page, request.html)
    if request.as_json:
        for found in page_objects(page):
            print_json(found)
    elif request.as_markdown:
        click.echo(printable(markdown_of(page)), nl=False)
    elif request.page or request.narrows:
        show_messages(page, request.page or 1, screen())
    elif not request.html:
        show_tally(page, screen(), hints=not request.quiet)


def _write_whole(target: str, data: bytes) -> None:
    """A page that was there stays until the new one is complete. A device or a pipe is written to as it is."""
    place = Path(os.path.realpath(target))
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(data)
            return
        is_new = not place.exists()
        place.touch()  # a new one has the mode that the person's umask gives, and keeps it
    except OSError as error:
        raise EffectError(f"can not write {target}: {error.strerror}") from error
    try:
        replace_file(str(place), data)
    except EffectError:
        if is_new:
            place.unlink(missing_ok=True)
        raise


def _write_html(page: BacktestPage, target: str) -> None:
    from leeboard.surfaces.cli.session.backtest_html import html_page  # noqa: PLC0415 - only for who asks

    if target == "-":
        click.echo(html_page(page), nl=False)
        return
    _write_whole(target, html_page(page).encode())
    screen(stderr=True).print(words(f"wrote {target}"))


# A walk through messages, each with the question whether it was right. Every answer is kept at once.

_ANSWERS: dict[str, Opinion] = {"y": "yes", "n": "no", "u": "unsure"}
_QUESTION = "Was it right to say this? [y]es, [n]o, [u]nsure, [s]kip, [b]ack, [q]uit"


def walk(page: BacktestPage, console: Console) -> None:
    """Through those without an opinion. It ends with the last of them, at `q`, and where no answer comes."""
    open_ = [remark for remark in page.remarks if remark.id not in page.opinions]
    known = dict(page.opinions)
    at = 0
    while at < len(open_):
        remark = open_[at]
        console.print(words((f"{at + 1} of {counted(len(open_), 'message')}", "dim")))
        show_message(remark, known.get(remark.id), console)
        answer = _answer()
        if answer == "q":
            break
        if answer in _ANSWERS:
            _keep(remark, _ANSWERS[answer], known)
        at = max(0, at - 1) if answer == "b" else at + 1
        console.print()
    given = sum(remark.id in known for remark in open_)
    console.print(words(f"{counted(given, 'opinion')} given, {len(open_) - given} open"))
    console.print()


def _keep(remark: Remark, opinion: Opinion, known: dict[str, Opinion]) -> None:
    write_opinion(remark, opinion)
    known[remark.id] = opinion


def _answer() -> str:
    """The first letter of an answer that there is; asked again for any other."""
    while True:
        try:
            said = click.prompt(_QUESTION, default="s", show_default=False, prompt_suffix=" ").strip().lower()[:1]
        except click.Abort:
            click.echo()
            return "q"
        if said in {*_ANSWERS, "s", "b", "q"}:
            return str(said)
