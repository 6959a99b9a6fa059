"""Changes whose text nobody saw on its way: what `sed -i` or a script made of a file, what was written before the index
of the work tree stood. They are judged as soon as there is something to judge them by.

What a file was like before is told by the last commit, and only where it was like that when the session came to it:
what a person had changed by then is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.patch import all_of, compare
from leeboard.model.event import Event, FilesChanged, Stopped, ToolFinished, ToolProposed
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Files, Surroundings
from leeboard.model.text import git_id
from leeboard.model.touch import Diff, Diffs
from leeboard.model.world import World
from leeboard.secrets.redaction import redact
from leeboard.text.language import language_of

MOST_FILES = 12
_LONGEST = 400_000
_DONE = "done"


def ids_before(event: ToolProposed, world: World, diffs: Diffs, files: Files) -> tuple[tuple[str, str], ...]:
    """Files that a shell line is about to change in a way nobody can see yet, each with git's id of it."""
    if event.call.action != "bash":
        return ()
    seen = {diff.path for diff in diffs}
    changed = dict.fromkeys(touch.path for touch in world.analysis.touches if touch.modifies and touch.path not in seen)
    kept = [path for path in changed if _may_be_kept(path)]
    return tuple((path, git_id(files.text(path) or "")) for path in kept[:MOST_FILES])


def _may_be_kept(path: str) -> bool:
    """A name that holds a secret is kept nowhere, and so nothing is looked up by it later."""
    return redact(path) == path


def unseen_diffs(event: Event, world: World, seen: Diffs, around: Surroundings) -> Diffs:
    """What is seen of such changes at this event, beside what its call shows."""
    match event:
        case ToolFinished(outcome="done"):
            return tuple(_by_line(event, world, seen, around))
        case FilesChanged(by_git=False, guard=False) if event.call:
            return tuple(_by_script(event, around))
        case Stopped():
            return tuple(_before_the_index(around))
        case _:
            return ()


def _by_line(event: ToolFinished, world: World, seen: Diffs, around: Surroundings) -> Iterator[Diff]:
    call = next((one for one in world.agent.open_calls if one.id == event.call.id), None)
    known = {diff.path for diff in seen}
    for path, was in call.ids_before if call else ():
        if path not in known and was:
            yield from _since_commit(path, was, around)


def _by_script(event: FilesChanged, around: Surroundings) -> Iterator[Diff]:
    left = [path for path in event.paths if path not in event.changed_before and language_of(path)]
    for path in left[:MOST_FILES]:
        now, was = around.files.text(path), around.base.text(path)
        if was is not None:
            yield from _diff(path, was, now or "")
        elif now and len(now) <= _LONGEST:
            yield Diff(path=path, before="", after=now, added=all_of(now))


def _since_commit(path: str, was: str, around: Surroundings) -> Iterator[Diff]:
    """`was`: what it was before the line, or before the session first changed it."""
    committed = around.base.text(path)
    if committed is None:
        return
    rows = around.find("change", (path,))
    if git_id(committed) in {was, rows[-1].text if rows else ""}:
        yield from _diff(path, committed, around.files.text(path) or "")


def _diff(path: str, was: str, now: str) -> Iterator[Diff]:
    if was != now and max(len(was), len(now)) <= _LONGEST:
        added, removed = compare(was, now)
        yield Diff(path=path, before=was, after=now, added=added, removed=removed)


# What was written while there was no index to hold it against.


def unindexed(event: Event, diffs: Diffs, around: Surroundings, turn: int) -> tuple[Entry, ...]:
    """Rows for what has to be looked at again, and for what now was."""
    if not diffs or not event.is_live or not isinstance(event, ToolFinished | Stopped):
        return ()
    has_index = around.symbols is not None
    if has_index is isinstance(event, ToolFinished):
        return ()
    known = dict.fromkeys(diff.path for diff in diffs if diff.path and language_of(diff.path))
    paths = [path for path in known if _may_be_kept(path)]
    data = _DONE if has_index else ""
    return tuple(
        Entry(kind="unindexed", key=path, path=path, turn=turn, agent=event.agent, data=data) for path in paths
    )


def _before_the_index(around: Surroundings) -> Iterator[Diff]:
    newest: dict[str, Entry] = {}
    for row in around.newest("unindexed", MOST_FILES * 4):
        newest.setdefault(row.path, row)
    left = [path for path, row in newest.items() if row.data != _DONE][:MOST_FILES]
    if not left or around.symbols is None:
        return
    for path in left:
        rows = around.find("change", (path,))
        if rows and rows[-1].text:
            yield from _since_commit(path, rows[-1].text, around)
        elif rows and around.base.text(path) is None and (now := around.files.text(path)):
            yield Diff(path=path, before="", after=now, added=all_of(now))
