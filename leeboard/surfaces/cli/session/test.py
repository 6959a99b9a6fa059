"""`leeboard test`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leeboard.app.foresee import FoundView, Thought, Trial, TrialView, try_out
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.rule import with_code
from leeboard.surfaces.cli.screen import fields, json_option, print_view, score_bar, screen, words
from leeboard.surfaces.cli.session_view import print_message
from leeboard.text.words import cut

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

CODES: dict[Thought, int] = {"passes": 0, "noted": 0, "said": 10, "refused": 1}
_VERDICTS: dict[Thought, tuple[str, str]] = {
    "passes": ("would pass: no rule has anything to say", "green"),
    "noted": ("would pass: it is noted and not spoken of", "green"),
    "said": ("would pass, and the agent would hear of it", "yellow"),
    "refused": ("would be refused", "bold red"),
}
_FATES: dict[Thought, str] = {"passes": "", "noted": "noted", "said": "said", "refused": "refused"}
MOST_BYTES = 2 << 20


@click.command(epilog='Example:  leeboard test "git push --force origin main"')
@click.argument("command_line", metavar="[COMMAND]", default="")
@click.option("--file", "path", metavar="PATH", default="", help="A file, as if the agent wrote it now.")
@click.option(
    "--content", metavar="FILE", default="", help="What it would write there; - is stdin. Else what is there."
)
@click.option("--goal", default="", help="As if the user had asked for this, and nothing else.")
@click.option("--session", default="", help="In this session: its id or the start of one. Else the newest here.")
@json_option
def command(command_line: str, *, path: str, content: str, goal: str, session: str, as_json: bool) -> int:
    """What would be thought of a command or a file, and why. Nothing is run, written or recorded.

    It is judged as a call of the agent in the newest session of this project, with its goal, its limits and what was
    let pass; where there is none, as the first call without a goal. One word that is a file here, and no program, is
    taken for that file. Exits 0 where it would pass in silence, 10 where it would pass and the agent would hear of it,
    1 where it would be refused.
    """
    if command_line and not path and _is_plain_file(command_line):
        command_line, path = "", command_line
    if bool(command_line) == bool(path):
        raise ConfigError("give one thing to judge: a command in quotes, or a file with --file")
    if content and not path:
        raise ConfigError("--content goes with --file: it is what would be written there")
    trial = Trial(command=command_line, goal=goal, session=session)
    if path:
        place = str(Path(path).absolute())
        trial = Trial(path=place, text=_text(place, content), goal=goal, session=session)
    view = try_out(trial, current_project(), str(Path.cwd()), os.environ)
    if as_json:
        print_view(view)
    else:
        _show(view, screen())
    return CODES[view.verdict]


def _is_plain_file(word: str) -> bool:
    return Path(word).is_file() and not os.access(word, os.X_OK)


def _text(place: str, content: str) -> str:
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if content == "-" else Path(content or place).read_bytes()
    except OSError as error:
        raise ConfigError(f"{content or place} can not be read: {error.strerror}; name what to judge") from error
    if len(data) > MOST_BYTES:
        raise ConfigError(f"{content or place} is larger than 2 MB, and no rule reads such a file")
    return data.decode("utf-8", "replace")


def _show(view: TrialView, console: Console) -> None:
    told, style = _VERDICTS[view.verdict]
    rows = [
        ("verdict", words((told, style))),
        ("score", score_bar(view.score, view.level, console) if view.score else words("not scored")),
        ("goal", words(cut(view.goal, 200) or "not stated")),
        ("profile", words(view.profile)),
    ]
    if view.note:
        rows.append(("note", words(view.note)))
    fields(rows, console)
    for finding in view.findings:
        console.print()
        _show_finding(finding, console)
    if view.words:
        console.print()
        console.print(words(("  the agent would read", "dim")))
        print_message(view.words, console)


def _show_finding(finding: FoundView, console: Console) -> None:
    name = words((with_code(finding.rule), "bold"), f"  {finding.subject}", (f"  {_FATES[finding.fate]}", "dim"))
    console.print(name)
    for delta, text in finding.evidence:
        console.print(words(f"  {delta:+d}  {text}" if delta else f"   0  {text}"))
    for line in finding.why:
        console.print(words((f"      {line}", "dim")))
    if finding.remedy:
        console.print(words(("      the agent is to: ", "dim"), finding.remedy))
