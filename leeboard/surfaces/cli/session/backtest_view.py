"""What a run over recorded sessions found, as people read it: figures by rule, messages page by page, Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.opinions import Opinion
from leeboard.app.backtest.page import PAGE_SIZE, BacktestPage
from leeboard.app.backtest.tally import RuleTally
from leeboard.errors import ConfigError
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import fields, table, words
from leeboard.surfaces.cli.session_view import print_message
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text

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
        if hints and page.tally.sessions:
            console.print()
            console.print(words(("nothing would have been said; `leeboard replay` shows what is only recorded", "dim")))
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
        raise ConfigError(
            f"there is no page {number}: {counted(len(page.remarks), 'message')} on {counted(page.pages, 'page')}"
        )
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
