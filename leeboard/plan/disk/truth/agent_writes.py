"""What the agent wrote, and what the engine writes for it or for a person: a line of the log for each file, with
what lay there.

The engine's own merge is put down before it lands, so that a kill in between leaves no file that nobody wrote.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from leeboard.model.truth import ABSENT, LogEntry
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import read_tick
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.truth.action_log import append
from leeboard.plan.disk.truth.surface import digest_of
from leeboard.plan.surface import canonical, spelled, tracked

_FILES, _LINKS = ("100644", "100755"), ("120000",)
"""Modes as git writes them. A submodule is no file."""


class AgentWrite(msgspec.Struct, frozen=True, kw_only=True):
    """`place` is relative to the intent's folder, as the system spells it."""

    place: str
    sha: str
    """`absent` for a file that was removed."""
    before: str | None = None
    """None: nobody looked."""


def agent_wrote(
    folder: PlanFolder, slug: str, wrote: Collection[AgentWrite], tick: int, now: str
) -> tuple[LogEntry, ...]:
    """Stamp writes of the agent. Places that are not tracked are passed over; the log's own lock is all it takes."""
    stages = _stages(folder, slug)
    tracked_ones = [each for each in wrote if tracked(each.place, stages) is not None]
    return append(folder, slug, [_entry(each, tick, now) for each in tracked_ones], once=True)


def stamp(
    folder: PlanFolder, slug: str, places_before: Mapping[str, str | None], tick: int, now: str
) -> tuple[LogEntry, ...]:
    """As `agent_wrote`, with the digests that are on the disk now. What can not be read is passed over."""
    found = {place: digest_of(folder, layout.below(slug, place)) for place in places_before}
    wrote = [
        AgentWrite(place=place, sha=sha, before=places_before[place]) for place, sha in found.items() if sha is not None
    ]
    return agent_wrote(folder, slug, [each for each in wrote if each.sha != each.before], tick, now)


def answer_written(folder: PlanFolder, slug: str, place: str, before: str | None, now: str) -> None:
    """What a person said was written down at this place: their words, and nobody is asked what they mean."""
    sha = digest_of(folder, layout.below(slug, place))
    if sha is not None and sha != before:
        wrote = AgentWrite(place=place, sha=sha, before=before)
        entry = _entry(wrote, read_tick(folder, slug), now)
        append(folder, slug, [replace(entry, entry_type="person_said", author_class="human-via-mcp")], once=True)


def log_merge(folder: PlanFolder, repository: Repository, slug: str, tree: str, now: str) -> None:
    """What a merge is about to bring into the primary work tree, `tree` being what it will look like."""
    top = layout.commit_path(slug)
    printed = repository.run("diff-tree", "-r", "--no-renames", "-z", layout.hub(slug), tree, "--", top)
    stages = _stages(folder, slug)
    coming = {
        place: found for place, found in _changed(printed, f"{top}/").items() if tracked(place, stages) is not None
    }
    if not coming:
        return
    shas = _digests(repository, coming, top)
    wrote = [
        AgentWrite(place=place, sha=shas[place], before=digest_of(folder, layout.below(slug, place)))
        for place in coming
        if place in shas
    ]
    agent_wrote(folder, slug, wrote, read_tick(folder, slug), now)


def _changed(printed: bytes, top: str) -> dict[str, tuple[str, str]]:
    """Place to the mode and the id of what it will hold."""
    parts = printed.decode("utf-8", "surrogateescape").split("\0")
    heads = [head.split(" ") for head in parts[::2] if head]
    return {name.removeprefix(top): (head[1], head[3]) for head, name in zip(heads, parts[1::2], strict=False)}


def _digests(repository: Repository, coming: Mapping[str, tuple[str, str]], top: str) -> dict[str, str]:
    """The digest of each file as git is going to write it: line ends and the like change as its attributes say.

    A name with a line end in it can not be asked for and is left out.
    """
    found = {place: ABSENT for place, (_, blob) in coming.items() if not blob.strip("0")}
    for modes, options in ((_FILES, ("--filters",)), (_LINKS, ())):
        blobs = {place: blob for place, (mode, blob) in coming.items() if mode in modes and "\n" not in place}
        if not blobs:
            continue
        end = os.urandom(16).hex()  # the size that git tells is the one before the change, so an end is asked for
        asked = "".join(
            f"{blob} {top}/{place}\n{end} x\n" if options else f"{blob}\n{end}\n" for place, blob in blobs.items()
        )
        printed = repository.run("cat-file", "--batch", *options, given=asked.encode("utf-8", "surrogateescape"))
        texts = printed.split(f"\n{end} missing\n".encode())
        shown = (text.partition(b"\n")[2] for text in texts)
        found |= {place: sha256(text).hexdigest() for place, text in zip(blobs, shown, strict=False)}
    return found


def _entry(wrote: AgentWrite, tick: int, now: str) -> LogEntry:
    path = spelled(canonical(wrote.place))
    return LogEntry(
        entry_type="agent_write",
        path=path,
        sha=wrote.sha,
        author_class="agent",
        timestamp=now,
        tick_counter=tick,
        tick_scope="stage" if layout.scope_of(path) else "intent",
        before_sha=wrote.before,
    )


def _stages(folder: PlanFolder, slug: str) -> tuple[str, ...]:
    return folder.names(layout.below(slug, "stages"))
