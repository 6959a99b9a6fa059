"""`leeboard recall QUESTION`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from leeboard.app.past.recall import RecallPage, recalled
from leeboard.io.places import current_project
from leeboard.model.text import in_short
from leeboard.store.recall import Recalled
from leeboard.surfaces.cli.screen import fields, json_option, print_view, say, screen, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

_SHORT = 280
"""Characters of a longer text that are shown; `--json` has all of it."""


@click.command(epilog='Example:  leeboard recall "why are refresh tokens rotated"')
@click.argument("question", nargs=-1, required=True)
@click.option("--local", is_flag=True, help="Only what was recorded on this machine, though there is a team.")
@json_option
def command(question: tuple[str, ...], *, local: bool, as_json: bool) -> None:
    """What past sessions of this project knew about a question or a path.

    Ten answers at most: decisions first, then steps on the same file, in the same folder, those whose texts have the
    words, and those of goals with a keyword. A question that is nothing but a file or a folder of the project is
    answered with what was done there, as long as there is any. Steps that were off course are left out. A step is shown
    with the goal it was done for, what the agent said before it, and the correction that followed it. Only this
    project's sessions are looked at: those of this machine, and of a team that it is shared with. The question is kept
    nowhere.
    """
    page = recalled(" ".join(question), current_project(), str(Path.cwd()), ask_team=not local)
    if as_json:
        print_view(page)
        return
    if page.note:
        say(page.note)
    _show(page, screen())


def _show(page: RecallPage, console: Console) -> None:
    if not page.found:
        console.print(words(f"nothing about {in_short(page.question)} was recorded in {page.project}"))
        return
    for number, one in enumerate(page.found):
        if number:
            console.print()
        console.print(words((one.time, "dim"), "  ", (_short(one.what), "bold")))
        fields([row for row in _about(one) if row[1]], console, indent=2)


def _about(one: Recalled) -> list[tuple[str, str]]:
    kind = "key decision" if one.is_key_decision else one.kind
    return [
        ("found", f"{kind}, scored {one.score}/10" if one.score else kind),
        ("said", _short(one.why)),
        ("corrected", _short(one.said)),
        ("goal", _short(one.goal)),
        ("session", f"{one.session} of {one.member}" if one.member else f"`leeboard report {_start_of(one.session)}`"),
    ]


def _start_of(session: str) -> str:
    """Enough of an id to find the session by: of a UUID that begins with a time, these groups are all of that."""
    return "-".join(session.split("-")[:2])


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"
