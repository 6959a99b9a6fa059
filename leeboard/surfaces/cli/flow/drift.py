"""Changed files as a person reads them: what is to be classified, how it changed, and the command that does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from leeboard.app.views.plan import ShownChange, view_drift
from leeboard.model.truth import AuthorClass
from leeboard.surfaces.cli.screen import print_wrapped, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

MOST_LINES, MOST_FINDINGS = 20, 20
"""The most that is shown of one diff, and of all; `--json` has the rest."""
STYLES = {"+": "green", "-": "red", "@": "cyan"}
_AUTHORS: dict[AuthorClass, str] = {
    "agent": "an agent",
    "human-via-mcp": "an agent on a person's behalf",
    "human-implicit": "somebody",
}
_OUTCOMES = (
    ("ignore", "accept it as it is"),
    ("inline-fix", "take it into the work at hand"),
    ("surface-as-feedback", "with --title TEXT --body TEXT, or --feedback FB-NN"),
    ("trigger-revisit", "with --stage NAME: go through that stage again"),
)


def show_drift(payload: Mapping[str, Any], home: str, console: Console) -> None:
    """Nothing where the action is another one than to classify."""
    found = view_drift(payload, home)
    for each in found[:MOST_FINDINGS]:
        author = _AUTHORS[each.author] + (", over a change of somebody else" if each.written_over else "")
        console.print(words(f"  {each.id}   ", (each.path, "bold"), f"  {each.kind} by {author}"))
        _show_lines(each, console)
    if len(found) > MOST_FINDINGS:
        console.print(words((f"  {len(found) - MOST_FINDINGS} more files: --json lists all", "yellow")))
    if found:
        _show_command(str(payload.get("intent_slug", "")), console)


def _show_lines(found: ShownChange, console: Console) -> None:
    lines = [line for line in found.diff.splitlines() if not line.startswith(("--- ", "+++ "))]
    for line in lines[:MOST_LINES]:
        console.print(words((f"             {line}", STYLES.get(line[:1], ""))))
    if len(lines) > MOST_LINES:
        console.print(words((f"             {len(lines) - MOST_LINES} more lines", "yellow")))
    if not lines:
        gone = found.kind == "file-removed"
        text = "what it said is not kept" if gone else "no diff is kept: read the file"
        console.print(words((f"             {text}", "dim")))


def _show_command(slug: str, console: Console) -> None:
    command = f"leeboard flow classify --all --as ignore --why '...' --intent {slug}"
    print_wrapped(words(("  classify ", "dim")), words((command, "bold")), console)
    for outcome, effect in _OUTCOMES:
        print_wrapped(words(("  --as     ", "dim"), f"{outcome:<20}"), words((effect, "dim")), console)
    print_wrapped(
        words(("  --path   ", "dim")), words(("PATH=OUTCOME beside --all: another one for it", "dim")), console
    )
