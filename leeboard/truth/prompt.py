"""What has become of the files an agent knows while the user was at work: named once, when they speak again.

What is new in them is shown when the agent writes them without having read them again.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from leeboard.model.known import COUNTED, ChangedFile, Knowledge, Known
from leeboard.model.world import World
from leeboard.text.words import element
from leeboard.truth.beforehand import MOST_FILES
from leeboard.truth.cause import Author, author_of, by_git, remembered
from leeboard.truth.change import MOVING, changed_file, matters
from leeboard.truth.words import told_in_one_line

MOST_NAMED = 8
_OPENING = "Changed since you last read them; read what you need again before you rely on it:"
_QUIET = frozenset({"own", "agent", "formatter"})
"""What the session did itself is nothing to be told to it."""


class SinceRead(msgspec.Struct, frozen=True, kw_only=True):
    words: str = ""
    known: tuple[Known, ...] = ()
    """What the agent knows once it has heard them."""


def since_read(world: World, knowledge: Knowledge, shown: tuple[Known, ...] = ()) -> SinceRead:
    """One line for each file, the newest first, and a number for the rest; none for what is shown with the prompt."""
    news = {row.path for row in shown}
    changed = tuple(one for one in _changed(world, knowledge) if one.known.path not in news)
    found = _told_apart(changed, knowledge)
    authors = tuple(_with_authors(found, world, knowledge))
    told = [(one, author) for one, author in authors if author.kind not in _QUIET]
    if not told:
        return SinceRead()
    lines = [told_in_one_line(one, author) for one, author in told[:MOST_NAMED]]
    more = [f"and {len(told) - MOST_NAMED} more"] if len(told) > MOST_NAMED else []
    heard = tuple(replace(remembered(*each), told=f"{each[0].now.digest}{COUNTED}") for each in told)
    words = element("\n".join((_OPENING, *lines, *more)))
    return SinceRead(words=words, known=heard)


def forgotten(world: World, knowledge: Knowledge) -> tuple[Known, ...]:
    """After a compaction: what the agent was told of and has not read since may be lost to it, and is said again."""
    agent = world.analysis.event.agent
    told = (one.path for one in knowledge.newest_known(MOST_FILES, agent) if one.told)
    return tuple(replace(known, told="") for path in told if (known := knowledge.known(agent, path)))


def _changed(world: World, knowledge: Knowledge) -> Iterator[ChangedFile]:
    agent = world.analysis.event.agent
    for light in knowledge.newest_known(MOST_FILES, agent):
        if MOVING.search(light.path) or not (light.seen or light.is_whole):
            continue
        changed = changed_file(light, knowledge, world.secret_key)
        known = knowledge.known(agent, light.path) if changed else None
        if changed is None or known is None or known.told.removesuffix(COUNTED) == changed.now.digest:
            continue
        changed = replace(changed, known=known)
        if matters(changed, whole_file=False):
            yield changed


def _told_apart(found: tuple[ChangedFile, ...], knowledge: Knowledge) -> tuple[ChangedFile, ...]:
    """Without what git ignores: programs make that anew all the time."""
    ignored = knowledge.disk.ignored_of(tuple(one.known.path for one in found)) if knowledge.disk and found else ()
    return tuple(one for one in found if one.known.path not in ignored)


def _with_authors(
    found: tuple[ChangedFile, ...], world: World, knowledge: Knowledge
) -> Iterator[tuple[ChangedFile, Author]]:
    """Git is asked once for all of them."""
    if not found or knowledge.disk is None:
        return
    since = min(one.known.time for one in found)
    commits = knowledge.disk.committed(tuple(one.known.path for one in found if one.stamp), since)
    for one in found:
        author = author_of(one, world, _WithoutGit(knowledge))
        if author.kind in {"unknown", "linter"} and one.known.path in commits:
            author = by_git(commits[one.known.path], author, moved=knowledge.disk.head_moved(one.known.time))
        yield one, author


class _WithoutGit:
    """The same knowledge for who has asked git already."""

    disk = None

    def __init__(self, knowledge: Knowledge) -> None:
        self.known = knowledge.known
        self.newest_known = knowledge.newest_known
        self.writers = knowledge.writers
