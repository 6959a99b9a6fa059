"""The next action as a person reads it: what to do, with what it needs, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import join
from typing import TYPE_CHECKING, Any

from leeboard.app.views.tool_words import for_people
from leeboard.model.plan import Clue
from leeboard.model.text import lazy
from leeboard.plan.words import WORDS, new_words
from leeboard.surfaces.cli.screen import print_wrapped, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console


MOST_OUTPUT = 20
"""Lines of a failing gate; `--json` has all that was kept."""
MOST_WORDS = 1_200
"""Characters of what a studio says of a stage, a hat or a review agent."""
_PLANNING = frozenset({"elaborate", "elaboration_insufficient", "unit_naming_invalid"})
_BEGINNING = frozenset({"start_stage", "elaborate"})
_OWN = "leeboard flow classify --all --as ignore --why TEXT"
_OWN_LINE = lazy(r"[ \t]|[#>|*+-]|\d{1,3}[.)]|```")

Row = tuple[str, str]


def show_clue(clue: Clue, console: Console, home: str = "") -> None:
    """`home`: the top of the primary work tree, so that paths are told in full."""
    style = "bold red" if clue.is_error else "yellow" if clue.waits else "bold"
    console.print(words((clue.action, style)))
    print_wrapped(words("  "), words(for_people(clue.message, clue.payload)), console)
    for head, text in _rows(clue, home):
        print_wrapped(words((f"  {head:<9}  ", "dim")), words(text), console)
    for head, text in _mandates(clue):
        _show_page(head, text, console)
    for failure in _mappings(clue.payload.get("failures")):
        _show_failure(failure, console)
    for word in new_words(clue.action):
        print_wrapped(words((f"  {word:<9}  ", "dim")), words((WORDS[word], "dim")), console)
    for text in _texts(clue.payload.get("warnings")):
        print_wrapped(words(("  note       ", "yellow")), words(for_people(text, clue.payload)), console)


def _rows(clue: Clue, home: str) -> Iterator[Row]:
    """What somebody without the tools could not find out otherwise."""
    payload = clue.payload
    if clue.action in _PLANNING or (clue.action == "start_stage" and "unit_types" in payload):
        yield from _planned(payload, home)
    units = [payload, *_mappings(payload.get("units"))]
    trees = [unit["worktree"] for unit in units if isinstance(unit.get("worktree"), str)]
    trees += list(_mappings([payload.get("worktrees")])[0].values()) if payload.get("worktrees") else []
    yield from (("work tree", str(tree)) for tree in dict.fromkeys(trees) if tree)
    yield from (("makes", join(home, path)) for unit in units for path in _texts(unit.get("outputs")))
    for each in _mappings(payload.get("required_outputs")):
        yield "brings", _promised(each, payload.get("worktree"))
    for each in _mappings(payload.get("missing")):
        if "location" in each:
            yield "missing", f"{each.get('name')}: {_placed(each, home)}"
    yield from (("must hold", f"[ ] {text}") for unit in units for text in _texts(unit.get("criteria_unmet")))
    if _asks_for_files(payload):
        yield "mind", f"what you write there with an editor is asked about once: `{_OWN}` says that it is yours"
    for each in _mappings(payload.get("also")):
        yield "also", f"{each.get('problem')}: {for_people(str(each.get('message')), payload)}"


def _asks_for_files(payload: Mapping[str, Any]) -> bool:
    """Below the plan, where a change that nobody accounts for holds the work up."""
    wanted = (*_mappings(payload.get("discovery")), *_mappings(payload.get("missing")))
    return any(str(each.get("location")).startswith(".haiku/") for each in wanted)


def _planned(payload: Mapping[str, Any], home: str) -> Iterator[Row]:
    """What a plan consists of, and where it is written."""
    place = f".haiku/intents/{payload.get('intent')}/stages/{payload.get('stage')}/units/unit-NN-name.md"
    yield "units", f"{join(home, place)}; `leeboard flow unit unit-01-NAME --draft` begins one"
    if types := _texts(payload.get("unit_types")):
        yield "types", ", ".join(types)
    for each in _mappings(payload.get("discovery")):
        yield "find out", f"{each.get('name')}: {_placed(each, home)}"


def _promised(each: Mapping[str, Any], tree: object) -> str:
    """A unit writes it in the tree it is worked on in."""
    if isinstance(tree, str):
        return f"{each.get('name')}: {_placed(each, tree)}"
    where = str(each.get("location"))
    return (
        f"{each.get('name')}: {where}{'' if where.startswith('(') else ', in the work tree of the unit that writes it'}"
    )


def _placed(each: Mapping[str, Any], home: str) -> str:
    """In brackets stands what is no path."""
    where = str(each.get("location"))
    return where if where.startswith("(") else join(home, where)


def _mandates(clue: Clue) -> Iterator[Row]:
    """What the studio says of the work: of the stage where it begins, of the hat that is worn, of who reviews."""
    about = clue.payload.get("stage_metadata")
    if clue.action in _BEGINNING and isinstance(about, Mapping):
        yield f"stage {clue.payload.get('stage')}", str(about.get("body") or about.get("description") or "")
    if clue.action in _BEGINNING:
        yield "guidance", str(clue.payload.get("guidance") or "")
    for worn in (clue.payload, *_mappings(clue.payload.get("units"))):
        yield f"hat {worn.get('hat')}", str(worn.get("mandate") or "")
    for agent in _mappings(clue.payload.get("agents")):
        yield f"review agent {agent.get('name')}", str(agent.get("mandate") or "")


def _show_page(head: str, text: str, console: Console) -> None:
    paragraphs, spent = list(_paragraphs(text)), 0
    if paragraphs:
        console.print(words((f"  {head}", "bold")))
    for number, paragraph in enumerate(paragraphs):
        spent += len(paragraph)
        if spent > MOST_WORDS and number:
            console.print(words(("    ... (--json has all of it)", "dim")))
            return
        print_wrapped(words("    "), words(paragraph[:MOST_WORDS]), console)


def _paragraphs(text: str) -> Iterator[str]:
    """Lines that belong together in one: where they were broken suits another width."""
    open_: list[str] = []
    for line in [*text.strip().splitlines(), ""]:
        if open_ and (not line.strip() or _OWN_LINE.match(line) or open_[0].startswith("#")):
            yield " ".join(open_)
            open_ = []
        if line.strip():
            open_.append(line.rstrip())


def _show_failure(failure: Mapping[str, Any], console: Console) -> None:
    place = f" (in {failure['dir']})" if failure.get("dir") else ""
    code = failure.get("exit_code")
    ended = "out of time" if code is None else f"exit {code}"
    console.print(words(("  gate       ", "dim"), f"{failure.get('name')}: ", (ended, "red")))
    console.print(words(("  runs       ", "dim"), f"{failure.get('command')}{place}"))
    for line in str(failure.get("output", "")).rstrip().splitlines()[-MOST_OUTPUT:]:
        console.print(words((f"             {line}", "dim")))


def _mappings(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list | tuple) else []
