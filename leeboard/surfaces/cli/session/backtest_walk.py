"""A walk through messages, each with the question whether it was right. Every answer is kept at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from leeboard.app.backtest.heard import Remark
from leeboard.app.backtest.opinions import Opinion, write_opinion
from leeboard.app.backtest.page import BacktestPage
from leeboard.surfaces.cli.screen import words
from leeboard.surfaces.cli.session.backtest_view import show_message
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console

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
