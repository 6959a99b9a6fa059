"""`leeboard watch`."""

from __future__ import annotations

import sys
import time

import click

from leeboard.app.ring import Ring, RingSettings, words_for
from leeboard.app.views.projects import WaitingWatch, WaitingWork, known_projects
from leeboard.app.views.proxy import CarriedView
from leeboard.app.views.said import SaidView
from leeboard.app.views.session import ReportText, SaidPage, SessionWatch, WatchNews
from leeboard.app.views.why import SignalPage, SignalView
from leeboard.io.clock import now
from leeboard.io.places import current_project
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import json_option, paragraphs, print_json, print_view, screen, words
from leeboard.surfaces.cli.session_view import plain, print_message, print_said
from leeboard.text.words import counted

SECONDS = 0.4
ROUNDS = 5
TOLD = ("project", "intent", "title", "stage", "text", "since")


@click.command(epilog="Example:  leeboard watch          (in a second terminal, while the agent works)")
@click.option("--all", "everything", is_flag=True, help="Also what waits, was only noted, or the agent put right.")
@click.option("--blocks", is_flag=True, help="Findings outside the score as blocks to pass on by hand.")
@click.option("--session", default="", help="Only this session: its id or the start of one.")
@click.option("--once", is_flag=True, help="Print what there is so far, and exit.")
@json_option
def command(*, everything: bool, blocks: bool, session: str, once: bool, as_json: bool) -> None:
    """What is said to the agents of this project, as it happens.

    Silence means that everything was watched and nothing is wrong. Each correction is shown with its level, what became
    of it, the score where it has one, its rule and its words. The agent has heard it already, except under the profile
    observe, where you are the one to pass it on (--blocks shows it ready for that). When the agent says that the work
    is done, or the session ends, its report follows. What waits for you in any project, a gate above all, is told here
    too, and rings.
    """
    watched = SessionWatch(current_project(), 0.0 if once else now(), session, everything=everything)
    waiting = WaitingNews(watched.root)
    if not once:
        screen(stderr=True).print(words((f"watching {watched.root}; Ctrl-C to stop", "dim")))
    try:
        while True:
            for news in watched.look(once=once):
                _tell(news, as_json=as_json, blocks=blocks)
            for work in waiting.look():
                _call(work, as_json=as_json, rings=not once)
            if once:
                return
            sys.stdout.flush()  # a program that reads along should not have to wait for a full buffer
            time.sleep(SECONDS)
    except KeyboardInterrupt:
        return


class WaitingNews:
    """What waits for this person in any project, each told once. Looked for every few rounds: it reads files."""

    def __init__(self, root: str) -> None:
        self._root, self._watch = root, WaitingWatch()
        self._told: set[str] = set()
        self._rounds = 0

    def look(self) -> list[WaitingWork]:
        self._rounds += 1
        if self._rounds % ROUNDS != 1:
            return []
        found = self._watch.look(known_projects((self._root,)))
        fresh = [work for work in found if work.mark not in self._told]
        self._told = {work.mark for work in found}
        return fresh


def _call(work: WaitingWork, *, as_json: bool, rings: bool) -> None:
    if as_json:
        print_json({"kind": "waiting", "of": work.kind, **{name: getattr(work, name) for name in TOLD}})
        return
    screen().print(words(("waits ", "bold yellow"), words_for(work)))
    if rings:
        Ring(RingSettings(desktop=False)).ring(work)


def _tell(news: WatchNews, *, as_json: bool, blocks: bool) -> None:
    if as_json:
        print_view(_object(news))
    elif isinstance(news, CarriedView):
        screen().print(words((_carried_line(news), "dim")))
    elif isinstance(news, ReportText):
        screen().print(paragraphs(plain(news.text), "\n"))
    elif isinstance(news, SignalPage):
        _tell_signal(news, blocks=blocks)
    elif blocks and news.signal is not None:
        _tell_signal(news.signal, blocks=True)
    else:
        print_said(news.said, screen())
        screen().print(words((f"    `leeboard why {news.said.id}` in session {news.said.session}", "dim")))


def _object(news: WatchNews) -> SaidView | SignalView | ReportText | CarriedView:
    """A finding that was weighed by urgency as programs know it, whether or not it was said."""
    if isinstance(news, SaidPage):
        return news.signal.signal if news.signal else news.said
    return news.signal if isinstance(news, SignalPage) else news


def _tell_signal(page: SignalPage, *, blocks: bool) -> None:
    signal = page.signal
    if blocks and page.is_spoken:
        how = f"(`leeboard why {signal.id}` in session {signal.session})\n"
        screen().print(paragraphs(page.interrupt, "\n", (how, "dim")))
        return
    state = "not said under observe" if page.is_spoken else signal.became
    line = f"[turn {signal.turn}] {state}: {with_code(signal.rule)} {page.place} ({signal.id})"
    screen().print(words((line, "" if page.is_spoken else "dim")))
    if page.is_spoken:
        print_message(signal.message, screen())


def _carried_line(carried: CarriedView) -> str:
    parts = [f"{carried.withheld} of {counted(carried.calls, 'call')} withheld"] if carried.withheld else []
    parts += [f"{counted(carried.inserted, 'correction')} put in"] if carried.inserted else []
    parts += [f"{carried.unchecked} passed unchecked"] if carried.unchecked else []
    told = ", ".join((*parts, *((carried.note,) if carried.note else ())))
    return f"[proxy] {told}; held for {carried.held_ms:g} ms"
