"""Files that were there before the session, noted when it is about to touch them for the first time.

Afterwards nobody could tell: `touch` and `sed -i` give a file the time of now, `mv` another name, and a commit that is
left for another branch takes it along.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.model.event import ToolProposed
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
