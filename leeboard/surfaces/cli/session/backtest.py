"""`leeboard backtest`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
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
from leeboard.app.session_files import SessionSource, client_folders, find_sources, joined
from leeboard.app.views.rules import find_rule
from leeboard.errors import ConfigError, EffectError
from leeboard.io.clock import now
from leeboard.rule import with_code
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, printable, quiet_option, say, screen, words
from leeboard.surfaces.cli.session.judged_by import JudgedBy, fitting_jobs, session_bar, settings_options
from leeboard.surfaces.cli.session.report_html import escape
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console
from typing import TYPE_CHECKING

from leeboard.app.backtest.page import PAGE_SIZE
from leeboard.app.backtest.tally import RuleTally
from leeboard.surfaces.cli.screen import fields, table
from leeboard.surfaces.cli.session_view import print_message

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

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
@json_option
@quiet_option
def command(paths: tuple[str, ...], by: JudgedBy, jobs: int | None, **asked: Any) -> int:
    """What Leeboard would have said over recorded sessions, and whether it was right.

    PATHS are session files, folders (every *.jsonl below them) or globs; without any, all that the clients here have
    kept. Each session goes by the settings of its own project where that is still there, else by those of the project
    this runs in. What you answer to --ask stays in your state directory and gives the share that was right, by rule.
    Sessions that are finished are remembered: interrupted, the same command goes on.
    """
    request = _Request(**asked)
    _check(request)
    selection, labels = request.selection, read_labels(request.labels) if request.labels else None
    judged = _run(paths, _basis(by, request.since), jobs, quiet=request.quiet)
    page = _page(judged, labels, selection)
    if request.mark:
        _mark(request.mark, page)
        page = _page(judged, labels, selection)
    if request.ask:
        from leeboard.surfaces.cli.session.backtest import walk  # noqa: PLC0415 - only for who asks

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


def _basis(by: JudgedBy, since: str) -> Basis:
    return Basis(
        chosen=by.chosen,
        for_all=by.for_all,
        profile=by.profile,
        since=now() - parse_span(since) if since else 0.0,
        judge=judge_digest(),
    )


def _run(paths: Sequence[str], basis: Basis, jobs: int | None, *, quiet: bool) -> list[JudgedFile]:
    sources = _sources(paths)
    judged: list[JudgedFile] = []
    try:
        with _progress(len(sources), quiet=quiet) as advance:
            for one in run_sessions(sources, basis, jobs or fitting_jobs(len(sources))):
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
def _progress(total: int, *, quiet: bool) -> Iterator[partial[None]]:
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
    known = {remark.id: remark for remark in page.remarks}
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
    elif request.page:
        show_messages(page, request.page, screen())
    elif not request.html:
        show_tally(page, screen(), hints=not request.quiet)


def _write_html(page: BacktestPage, target: str) -> None:
    from leeboard.surfaces.cli.session.backtest import html_page  # noqa: PLC0415 - only for who asks

    if target == "-":
        click.echo(html_page(page), nl=False)
        return
    Path(target).write_text(html_page(page), encoding="utf-8")
    screen(stderr=True).print(words(f"wrote {target}"))


# The page in HTML.


_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: 0.3rem 1rem 0.3rem 0; }
tr { border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; } dd { margin: 0; }
dt, .dim { color: color-mix(in srgb, CanvasText 65%, Canvas); }
article { border-left: 4px solid color-mix(in srgb, CanvasText 25%, Canvas); padding-left: 1rem; margin: 1.5rem 0; }
article.yes { border-color: #2e8b57; } article.no { border-color: #c0392b; } article.unsure { border-color: #c98a00; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.6rem 1rem; border-radius: 6px;
  background: color-mix(in srgb, CanvasText 7%, Canvas); }
code, pre { font: 0.9em ui-monospace, monospace; } .wide { overflow-x: auto; }
"""


def html_page(page: BacktestPage) -> str:
    """Everything in it is escaped: texts come from transcripts."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Leeboard over recorded sessions</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(_body(page))
        + "\n</body></html>\n"
    )


def _body(page: BacktestPage) -> Iterator[str]:
    yield "<h1>What Leeboard would have said</h1>"
    yield _list(facts_of(page))
    yield _table(page)
    for tally in page.tally.rules:
        # A message of several rules stands below the first of them.
        theirs = [remark for remark in page.remarks if remark.rules[0] == tally.rule]
        if theirs:
            yield f'<h2 id="{escape(tally.rule)}">{escape(with_code(tally.rule))}</h2>'
            yield from (_article(remark, page.opinions.get(remark.id) or "") for remark in theirs)
    if page.passed_over:
        rows = "".join(f"<li><code>{escape(one.path)}</code>: {escape(one.problem)}</li>" for one in page.passed_over)
        files = counted(len(page.passed_over), "file")
        yield f"<h2>Passed over</h2><details><summary>{files}</summary><ul>{rows}</ul></details>"


def _table(page: BacktestPage) -> str:
    if not page.tally.rules:
        return "<p>Nothing would have been said.</p>"
    head = "".join(f"<th>{name.lower()}</th>" for name in HEADS)
    rows = [(f'<a href="#{escape(one.rule)}">{escape(with_code(one.rule))}</a>', one) for one in page.tally.rules]
    lines = "".join(
        f"<tr><td>{name}</td>" + "".join(f'<td class="number">{figure}</td>' for figure in figures_of(one)) + "</tr>"
        for name, one in (*rows, ("all", page.tally.all))
    )
    return f'<div class="wide"><table><tr>{head}</tr>{lines}</table></div>'


def _article(remark: Remark, opinion: str) -> str:
    facts = [
        ("session", f"{remark.session} ({remark.file}), turn {remark.turn}"),
        ("goal", remark.goal or "not stated"),
    ]
    facts += [("about", ", ".join(remark.paths[:6]))] if remark.paths else []
    facts += [("right?", opinion)] if opinion else []
    return (
        f'<article class="{escape(opinion)}"><p><code>{escape(remark.id)}</code> {escape(action_of(remark))}</p>'
        f"{_list(facts)}<pre>{escape(remark.message)}</pre></article>"
    )


def _list(rows: list[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows) + "</dl>"


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


# What a run found, as people read it: figures by rule, messages page by page, Markdown.


HEADS = ("RULE", "SAID", "REFUSED", "SESSIONS", "YES", "NO", "UNSURE", "RIGHT")
_ACTIONS = {"INJECT": "said", "ASK": "asked the user", "DENY": "refused"}
_STYLES: dict[Opinion | None, str] = {"yes": "green", "no": "red", "unsure": "yellow", None: "dim"}


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def right_of(tally: RuleTally) -> str:
    """The share that was right, with how sure that is; empty where nobody said."""
    share, between = tally.precision, tally.between
    if share is None or between is None:
        return ""
    return f"{100 * share:.0f} % ({100 * between[0]:.0f} to {100 * between[1]:.0f})"


def action_of(remark: Remark) -> str:
    return _ACTIONS.get(remark.action, remark.action)


def figures_of(tally: RuleTally) -> tuple[str, ...]:
    numbers = (tally.said, tally.refused, tally.sessions, tally.yes, tally.no, tally.unsure)
    return (*map(str, numbers), right_of(tally) or "-")


def facts_of(page: BacktestPage) -> list[tuple[str, str]]:
    """The run in a few lines."""
    tally = page.tally
    said = tally.all
    rows = [
        ("sessions", f"{tally.sessions}, {tally.turns} turns, {counted(tally.scored, 'action')} scored"),
        ("spoken to", f"{tally.spoken_to} of {tally.sessions} ({percent(tally.share_spoken_to)})"),
        ("messages", f"{said.said}, {said.refused} of them refusals"),
    ]
    rows += [("judged by", f"{source}: {counted(number, 'session')}") for source, number in tally.judged_by]
    rows += [("left out", f"{counted(page.old, 'session')} that ended before")] if page.old else []
    rows += [("passed over", counted(len(page.passed_over), "file"))] if page.passed_over else []
    rows += [("finished", f"{page.finished} of them by an earlier run")] if page.finished else []
    return rows


def show_tally(page: BacktestPage, console: Console, *, hints: bool) -> None:
    rows: list[tuple[str, Text | str]] = list(facts_of(page))
    fields(rows, console)
    if not page.tally.rules:
        return
    console.print()
    lines = [(with_code(one.rule), *figures_of(one)) for one in page.tally.rules]
    table(HEADS, [*lines, ("all", *figures_of(page.tally.all))], console)
    if hints:
        console.print()
        console.print(words(("--page 1 shows the messages, --ask asks you whether each was right", "dim")))


def show_messages(page: BacktestPage, number: int, console: Console) -> None:
    """ConfigError where there is no such page."""
    if number > page.pages:
        raise ConfigError(f"there is no page {number}: {counted(len(page.remarks), 'message')} on {page.pages}")
    first = (number - 1) * PAGE_SIZE + 1
    last = first + len(page.part(number)) - 1
    of = f"messages {first} to {last} of {len(page.remarks)}" if page.remarks else "no messages"
    console.print(words((f"{of}, page {number} of {page.pages}", "bold")))
    for remark in page.part(number):
        console.print()
        show_message(remark, page.opinions.get(remark.id), console)


def show_message(remark: Remark, opinion: Opinion | None, console: Console) -> None:
    rules = ", ".join(map(with_code, remark.rules))
    console.print(
        words((remark.id, "bold"), f"  {rules}  {action_of(remark)}  ", (opinion or "", _STYLES[opinion])),
    )
    rows: list[tuple[str, Text | str]] = [("session", f"{remark.session} ({remark.file}), turn {remark.turn}")]
    rows += [("goal", remark.goal)] if remark.goal else []
    rows += [("about", ", ".join(remark.paths[:6]))] if remark.paths else []
    fields(rows, console, indent=2)
    print_message(remark.message, console)


def markdown_of(page: BacktestPage) -> str:
    return "\n".join(_markdown(page)) + "\n"


def _markdown(page: BacktestPage) -> Iterator[str]:
    tally = page.tally
    yield f"{tally.sessions} sessions, {tally.scored} actions scored; {tally.spoken_to} sessions spoken to"
    yield f"({percent(tally.share_spoken_to)}), {tally.all.said} messages, {tally.all.refused} of them refusals."
    yield ""
    yield "| rule | said | refused | sessions | right | wrong | debatable | precision (95 % interval) |"
    yield "|---|---|---|---|---|---|---|---|"
    for one in tally.rules:
        yield f"| {with_code(one.rule)} | {' | '.join(figures_of(one))} |"
    yield f"| all | {' | '.join(figures_of(tally.all))} |"
