"""The next action as a person reads it: what to do, with what it needs, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from leeboard.model.plan import Clue
from leeboard.surfaces.cli._flow_tools import for_people
from leeboard.surfaces.cli._screen import print_wrapped, words

if TYPE_CHECKING:
    from rich.console import Console

MOST_OUTPUT = 20
"""Lines of a failing gate; `--json` has all that was kept."""


def show_clue(clue: Clue, console: Console) -> None:
    style = "bold red" if clue.is_error else "yellow" if clue.waits else "bold"
    console.print(words((clue.action, style), f"  {for_people(clue.message, clue.payload)}"))
    for head, text in _rows(clue.payload):
        print_wrapped(words((f"  {head:<9}", "dim")), words(text), console)
    for failure in _mappings(clue.payload.get("failures")):
        _show_failure(failure, console)
    for text in _texts(clue.payload.get("warnings")):
        print_wrapped(words(("  note     ", "yellow")), words(for_people(text, clue.payload)), console)


def _rows(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What somebody without the tools could not find out otherwise."""
    units = [payload, *_mappings(payload.get("units"))]
    trees = [unit["worktree"] for unit in units if isinstance(unit.get("worktree"), str)]
    trees += list(_mappings([payload.get("worktrees")])[0].values()) if payload.get("worktrees") else []
    yield from (("work tree", str(tree)) for tree in dict.fromkeys(trees) if tree)
    for each in _mappings(payload.get("required_outputs")):
        yield "makes", f"{each.get('name')} at {each.get('location')}"
    for each in _mappings(payload.get("also")):
        yield "also", f"{each.get('problem')}: {for_people(str(each.get('message')), payload)}"


def _show_failure(failure: Mapping[str, Any], console: Console) -> None:
    place = f" (in {failure['dir']})" if failure.get("dir") else ""
    code = failure.get("exit_code")
    ended = "out of time" if code is None else f"exit {code}"
    console.print(words(("  gate     ", "dim"), f"{failure.get('name')}: ", (ended, "red")))
    console.print(words(("  runs     ", "dim"), f"{failure.get('command')}{place}"))
    for line in str(failure.get("output", "")).rstrip().splitlines()[-MOST_OUTPUT:]:
        console.print(words((f"             {line}", "dim")))


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []
