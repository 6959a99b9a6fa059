"""The lines that a scenario is written in, and the events they stand for.

    @ text                    the human says
    ~ text                    the agent says
    read PATH [-> output]     the agent reads a file, and what it was shown
    meanwhile PATH | content  somebody else changes a file; behind `&` it happens while the calls before it run
    grep WORD -> output       a search and what it found
    edit PATH [| old => new]  an edit in place
    write PATH [| content]    a whole file
    $ command [-> output]     a shell line that succeeds
    $! command [-> output]    a shell line that fails
    stop [text]               the agent stops, with these words
    repo PATH | content       a file that is in the repository before the session, which is then known and indexed
    unsaved [changed] PATH    a file of the user's that is in no commit: new, or a change; the repository is then known
    protect GLOB ...          files that the settings protect
    contract KEY = VALUE      a line of the work tree's explicit contract, in TOML
    check [COMMAND -> exit N] the work tree is compared with what was there before; an acceptance command ended so
    check unseen PATH         the same, and this file was not looked at
    own {YAML}                a rule of the project's own, in the flow style of YAML
    plan KEY = VALUE          a workflow lives on disk: a line of `leeboard.testing.scenario`, in TOML
    tool NAME [| text]        the agent calls some other tool, such as the one that starts a sub-agent
    found PATH                a file has other content than at the last look; `found guard PATH`: one of the guard
    gone KIND NAME            work of the user's is gone since the last look: a file, changes, stash, branch, commits
    leave [again] [text]      the agent is about to end with these words; again: it was kept going before

A line that starts with `&` belongs to the same assistant message as the one before it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from leeboard.model.event import (
    Event,
    FilesChanged,
    MessageSaid,
    Outcome,
    PromptGiven,
    Stopped,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TreeChecked,
    TurnEnded,
)
from leeboard.model.touch import AcceptanceRun, TreeChange
from leeboard.model.unit import StopProposed
from leeboard.model.unsaved import LostKind, LostWork

ROOT = "/repo"
SESSION = "scenario"


class Meanwhile(Event, frozen=True, kw_only=True):
    """Nothing that anybody tells us."""

    path: str
    text: str


def events_of(lines: Iterable[str]) -> list[Event]:
    """The events that the lines of a scenario stand for, in the order they would arrive."""
    return [event for group in groups_of(lines) for event in group]


def groups_of(lines: Iterable[str]) -> list[list[Event]]:
    """Events of one assistant message after another: calls first, then their results, then the end of the batch."""
    groups: list[list[Event]] = []
    batch: list[tuple[ToolProposed, ToolFinished]] = []
    beside: list[Event] = []
    for number, line in enumerate(lines):
        joined, text = line.startswith("&"), line.removeprefix("&").strip()
        call = _call(text, number)
        if batch and joined and text.startswith("meanwhile "):
            beside.append(_single(text, number))
            continue
        if batch and not (joined and call):
            groups.append(_batch(batch, beside))
            batch, beside = [], []
        if call:
            batch.append(call)
        else:
            groups.append([_single(text, number)])
    return [*groups, _batch(batch, beside)] if batch else groups


def _batch(pairs: list[tuple[ToolProposed, ToolFinished]], beside: list[Event]) -> list[Event]:
    calls = tuple(proposed.call.id for proposed, _ in pairs)
    end = TurnEnded(session=SESSION, cwd=ROOT, calls=calls)
    return [*(proposed for proposed, _ in pairs), *beside, *(finished for _, finished in pairs), end]


def _single(text: str, number: int) -> Event:
    if text.startswith("@"):
        return PromptGiven(session=SESSION, key=f"prompt:p{number}", cwd=ROOT, text=text[1:].strip())
    if text.startswith("~"):
        return MessageSaid(session=SESSION, key=f"say:m{number}", cwd=ROOT, text=text[1:].strip())
    if text.startswith("leave"):
        words = text.removeprefix("leave").strip()
        again = words.startswith("again")
        said = words.removeprefix("again").strip()
        return StopProposed(session=SESSION, cwd=ROOT, already_blocked=again, text=said)
    if text.startswith("meanwhile "):
        path, _, content = text.removeprefix("meanwhile ").partition("|")
        return Meanwhile(session=SESSION, cwd=ROOT, path=path.strip(), text=content.strip(" "))
    if text == "stop" or text.startswith("stop "):
        return Stopped(session=SESSION, cwd=ROOT, text=text.removeprefix("stop").strip())
    return _looked(text, number)


def _looked(text: str, number: int) -> Event:
    """What a look at the files showed."""
    if text.startswith("found "):
        words = text.removeprefix("found ")
        path, guard = words.removeprefix("guard "), words.startswith("guard ")
        return FilesChanged(
            session=SESSION, key=f"slip:{number}", cwd=ROOT, paths=(path,), line="while `make` ran", guard=guard
        )
    if text.startswith("gone "):
        kind, _, name = text.removeprefix("gone ").partition(" ")
        lost = LostWork(kind=msgspec.convert(kind, LostKind), name=name, how="is gone", kept="14:02", back=name)
        return FilesChanged(
            session=SESSION, key=f"gone:{number}", cwd=ROOT, paths=(), line="while `make` ran", lost=(lost,)
        )
    if text.startswith("check"):
        words = text.removeprefix("check").strip()
        runs = _acceptance(words)
        unseen = (words.removeprefix("unseen "),) if words.startswith("unseen ") else ()
        change = TreeChange(root=ROOT, unseen=unseen)
        return TreeChecked(session=SESSION, key=f"tree:{number}", cwd=ROOT, change=change, acceptance=runs)
    raise ValueError(f"line {number} is no line of a scenario: {text!r}")


def _call(text: str, number: int) -> tuple[ToolProposed, ToolFinished] | None:
    verb, _, rest = text.partition(" ")
    if verb not in {"read", "grep", "edit", "write", "$", "$!", "tool"}:
        return None
    body, _, output = rest.partition(" -> ") if verb in {"grep", "read", "$", "$!"} else (rest, "", "")
    outcome: Outcome = "failed" if verb == "$!" else "done"
    call = _tool_call(verb, body.strip(), f"toolu_{number}")
    proposed = ToolProposed(session=SESSION, key=f"call:{call.id}", cwd=ROOT, call=call)
    finished = ToolFinished(
        session=SESSION, key=f"result:{call.id}", cwd=ROOT, call=call, outcome=outcome, output=output
    )
    return proposed, finished


def _tool_call(verb: str, body: str, call_id: str) -> ToolCall:
    if verb in {"$", "$!"}:
        return ToolCall(id=call_id, tool="Bash", action="bash", command=body)
    if verb == "grep":
        return ToolCall(id=call_id, tool="Grep", action="read", query=body)
    path, _, change = (part.strip() for part in body.partition("|"))
    if verb == "tool":
        return ToolCall(id=call_id, tool=path, action="other", query=change)
    if verb == "read":
        return ToolCall(id=call_id, tool="Read", action="read", paths=(path,))
    if verb == "write":
        return ToolCall(id=call_id, tool="Write", action="write", paths=(path,), edits=(TextEdit("", change),))
    old, _, new = (part.strip() for part in change.partition("=>"))
    return ToolCall(id=call_id, tool="Edit", action="edit", paths=(path,), edits=(TextEdit(old, new),))


def _acceptance(text: str) -> tuple[AcceptanceRun, ...]:
    command, _, code = text.partition(" -> exit ")
    return (AcceptanceRun(command=command, passed=code == "0", tree="", code=int(code)),) if code else ()
