"""What is the person's and not the session's: files that were there before it, and commits that none of its lines made.

Files are noted when the session is about to touch them for the first time. Afterwards nobody could tell: `touch` and
`sed -i` give a file the time of now, `mv` another name, and a commit that is left for another branch takes it along.

Lines that may have made commits are noted with when they ran. Neither the start of a session nor the name of an author
tells them apart: a person commits right before it begins and in another terminal while it waits, under the same name as
their agent. Git counts whole seconds.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Surroundings
from leeboard.model.text import git_id
from leeboard.model.unsaved import NOBODY_KNOWS
from leeboard.model.world import World
from leeboard.secrets.redaction import redact
from leeboard.shell.effects import shell_effects

MOVED = "moved"
"""In such a row: the file has this path since the session moved it there."""
_MOST_FILES = 50
MOST_LINES = 500
_KEY = "line"


def stood_entries(event: ToolProposed, world: World, around: Surroundings, turn: int) -> tuple[Entry, ...]:
    """A row for each, with git's id of what was in it."""
    if not world.session.started or around.unsaved is NOBODY_KNOWS:
        return ()
    changed = dict.fromkeys(touch.path for touch in world.analysis.touches if touch.modifies)
    changed.update(dict.fromkeys(_committed(event, world, around)))
    paths = [path for path in changed if redact(path) == path][:_MOST_FILES]
    known = {one.key for kind in ("stood", "change") for one in around.find(kind, paths)}
    stood = [path for path in paths if path not in known and _is_older(path, world, around)]
    rows = [Entry(kind="stood", key=path, path=path, turn=turn, text=_id(path, around)) for path in stood]
    moved = _moved(event, world, {*stood, *(one.key for one in around.find("stood", paths))}) if stood or known else ()
    return (*rows, *(Entry(kind="stood", key=path, path=path, turn=turn, data=MOVED) for path in moved))


def _committed(event: ToolProposed, world: World, around: Surroundings) -> Iterator[str]:
    """What may go into a commit."""
    tree = around.unsaved.tree(event.cwd or world.workspace.root) if "git commit" in world.analysis.programs else None
    for file in tree.files if tree else ():
        if file.state != "ignored" and 0 < file.time < world.session.started:
            yield world.workspace.spell(file.path)


def _is_older(path: str, world: World, around: Surroundings) -> bool:
    place = path if path.startswith(("/", "~")) else posixpath.join(world.workspace.root, path)
    return 0 < around.unsaved.changed_at(place) < world.session.started


def _id(path: str, around: Surroundings) -> str:
    return git_id(around.files.text(path) or "") if not path.startswith(("/", "~")) else ""


def _moved(event: ToolProposed, world: World, stood: set[str]) -> Iterator[str]:
    """Where a line puts those that it moves: under the same name in a folder, or one under another name."""
    if event.call.action != "bash":
        return
    line = shell_effects(event.call.command, event.cwd)
    sources = [world.workspace.spell(path, event.cwd) for path in line.moved]
    written = [touch.path for touch in world.analysis.touches if touch.kind == "write"]
    names = {posixpath.basename(path) for path in sources if path in stood}
    alone = len(sources) == len(written) == 1 and bool(names)
    yield from (path for path in written if alone or posixpath.basename(path) in names)


def committing_entries(event: ToolFinished, world: World, turn: int) -> Iterator[Entry]:
    """A row with the time from when to when a line ran that may have made commits. `world` is that before the event."""
    analysis, call = world.analysis, event.call
    by_git = any(program.startswith("git ") for program in analysis.programs)
    if event.outcome == "denied" or not analysis.unsure or not (analysis.opaque or by_git or call.action == "other"):
        return
    open_calls = world.session.agent(event.agent).open_calls
    began = next((one.began for one in open_calls if one.id == call.id), 0.0) or event.time
    text = f"{int(began)} {int(event.time)}"
    yield Entry(kind="committing", key=_KEY, turn=turn, agent=event.agent, call=call.id, text=text)


def were_committed(times: Iterable[float], rows: Iterable[Entry]) -> bool:
    """Whether a line of the session ran at each of these times."""
    spans = [tuple(map(int, row.text.split())) for row in rows]
    return all(any(start <= int(time) <= end for start, end in spans) for time in times)
