"""`leeboard watch`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from leeboard.app.files_now import files_now
from leeboard.app.settings import policy_of
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.judge.correction import block
from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.report.detections import detections_of, markdown_of
from leeboard.rule import with_code
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.archive import opened_archive
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.screen import json_option, paragraphs, print_json, screen, words
from leeboard.surfaces.cli.session_view import place, signal_object

SECONDS = 0.4
_SPOKEN = {"fired", "delivered"}


@click.command(epilog="Example:  leeboard watch          (in a second terminal, while the agent works)")
@click.option("--all", "everything", is_flag=True, help="Also what is queued, logged or corrected by the agent itself.")
@click.option("--session", default="", help="Only this session: its id or the start of one.")
@click.option("--once", is_flag=True, help="Print what there is by now, and end.")
@json_option
def command(*, everything: bool, session: str, once: bool, as_json: bool) -> None:
    """The interrupts of this project's sessions, as they happen.

    Silence means that everything was watched and nothing is wrong. Each interrupt is one block: what to tell the agent,
    the reason in one sentence, and whether it could wait. The agent has heard it already, except under the profile
    observe, where you are the one to pass it on. When the agent says that the work is done, or the session ends, its
    report follows.
    """
    watched = _Watched(here(), 0.0 if once else now(), session, as_json=as_json, everything=everything)
    if not once:
        screen(stderr=True).print(words((f"watching {watched.root}; Ctrl-C ends", "dim")))
    try:
        while True:
            watched.look(once=once)
            if once:
                return
            sys.stdout.flush()  # a program that reads along should not have to wait for a full buffer
            time.sleep(SECONDS)
    except KeyboardInterrupt:
        return


class _Watched:
    """One project and what of it was told already."""

    def __init__(self, root: str, since: float, session: str, *, as_json: bool, everything: bool) -> None:
        self.root = root
        self._since, self._session = since, session
        self._as_json, self._everything = as_json, everything
        self._seen: set[tuple[str, str]] = set()
        self._versions: dict[str, int] = {}

    def look(self, *, once: bool) -> None:
        """Tell what is new, session by session. Asking leaves no trace where nothing is recorded."""
        if not Path(database()).exists():
            return
        with opened_archive() as store:
            fresh = self._new(store)
            sessions = [one for one in reversed(store.sessions(self.root, 8)) if one.id.startswith(self._session)]
            reports = {one.id: self._report(store, one) for one in sessions if self._is_due(one, fresh, once=once)}
        # Of several sessions the one that is at work comes last, and a report behind all that was said before it.
        order = {one.id: number for number, one in enumerate(sessions)}
        for owner in sorted({*fresh, *reports}, key=lambda owner: order.get(owner, -1)):
            for judged in fresh.get(owner, ()):
                if self._everything or judged.state in _SPOKEN:
                    _tell(owner, judged, as_json=self._as_json)
            if owner in reports:
                _print_report(owner, reports[owner], as_json=self._as_json)

    def _new(self, store: SqliteStore) -> dict[str, list[Judged]]:
        """What was judged or has changed since it was last looked at, by session."""
        fresh: dict[str, list[Judged]] = {}
        for owner, judged in store.recent_signals(self.root, self._since):
            mark = (judged.id, judged.state)
            if owner.startswith(self._session) and mark not in self._seen:
                self._seen.add(mark)
                fresh.setdefault(owner, []).append(judged)
        return fresh

    def _is_due(self, one: Session, fresh: dict[str, list[Judged]], *, once: bool) -> bool:
        """The work was said to be done, or the session ended; and nothing follows: an interrupt may keep it going."""
        quiet = self._versions.get(one.id) == one.version and one.id not in fresh and one.finished >= one.turns
        self._versions[one.id] = one.version
        mark = (one.id, f"finished {one.finished}")
        if not one.finished or one.updated < self._since or mark in self._seen or not (quiet or once):
            return False
        self._seen.add(mark)
        return True

    def _report(self, store: SqliteStore, one: Session) -> str:
        judged = store.signals(one.id)
        budget = policy_of(self.root).interrupt_budget
        return markdown_of(detections_of(one, judged, budget, files_now(store, one, judged)))


def _print_report(owner: str, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"kind": "report", "session": owner, "text": text})
    else:
        screen().print(paragraphs(text))


def _tell(owner: str, judged: Judged, *, as_json: bool) -> None:
    if as_json:
        print_json(signal_object(judged, owner))
    elif judged.state in _SPOKEN:
        screen().print(paragraphs(block(judged), "\n", (f"(`leeboard why {judged.id}` in session {owner})\n", "dim")))
    else:
        console = screen()
        line = (
            f"[turn {judged.turn}] {judged.state}: {judged.subclass} {with_code(judged.rule)} {place(judged)}, urgency "
        )
        console.print(words((f"{line}{judged.urgency}", "dim")))
