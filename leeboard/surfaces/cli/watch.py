"""`leeboard watch`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.io.store.sqlite import SqliteStore
from leeboard.judge.interrupt import block
from leeboard.model.outcome import Judged
from leeboard.report.detections import detections_of, markdown_of
from leeboard.surfaces.cli._archive import opened_archive
from leeboard.surfaces.cli._hook_place import here
from leeboard.surfaces.cli._screen import json_option, print_json, screen, words
from leeboard.surfaces.cli._signal_view import place, signal_object
from leeboard.surfaces.settings import policy_of

SECONDS = 0.4
_SPOKEN = {"fired", "delivered"}

Seen = set[tuple[str, str]]


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
    root = here()
    seen: Seen = set()
    since = 0.0 if once else now()
    if not once:
        screen(stderr=True).print(words((f"watching {root}; Ctrl-C ends", "dim")))
    try:
        while True:
            for owner, judged in _new(root, since, session, seen):
                if everything or judged.state in _SPOKEN:
                    _tell(owner, judged, as_json=as_json)
            for text in _reports(root, since, session, seen):
                _print_report(text, as_json=as_json)
            if once:
                return
            sys.stdout.flush()  # a program that reads along should not have to wait for a full buffer
            time.sleep(SECONDS)
    except KeyboardInterrupt:
        return


def _new(root: str, since: float, session: str, seen: Seen) -> list[tuple[str, Judged]]:
    """What was judged or has changed since it was last looked at. Asking leaves no trace where nothing is recorded."""
    if not Path(database()).exists():
        return []
    with opened_archive() as store:
        found = _recent(store, root, since, session)
    fresh = [(owner, judged) for owner, judged in found if (judged.id, judged.state) not in seen]
    seen.update((judged.id, judged.state) for _, judged in fresh)
    return fresh


def _reports(root: str, since: float, session: str, seen: Seen) -> list[str]:
    """Of sessions whose work was said to be done, or that ended, since then."""
    if not Path(database()).exists():
        return []
    found: list[str] = []
    with opened_archive() as store:
        for one in store.sessions(root, 8):
            mark = (one.id, f"finished {one.finished}")
            if one.finished and one.updated >= since and one.id.startswith(session) and mark not in seen:
                seen.add(mark)
                found.append(markdown_of(detections_of(one, store.signals(one.id), policy_of(root).interrupt_budget)))
    return found


def _print_report(text: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"kind": "report", "text": text})
    else:
        screen().print(words(text))


def _recent(store: SqliteStore, root: str, since: float, session: str) -> list[tuple[str, Judged]]:
    return [(owner, judged) for owner, judged in store.recent_signals(root, since) if owner.startswith(session)]


def _tell(owner: str, judged: Judged, *, as_json: bool) -> None:
    if as_json:
        print_json(signal_object(judged, owner))
    elif judged.state in _SPOKEN:
        screen().print(words(block(judged), "\n"), words((f"(`leeboard why {judged.id}` in session {owner})\n", "dim")))
    else:
        console = screen()
        line = f"[turn {judged.turn}] {judged.state}: {judged.subclass} {judged.rule} {place(judged)}, urgency "
        console.print(words((f"{line}{judged.urgency}", "dim")))
