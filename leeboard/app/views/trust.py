"""What acts in a repository, so that a person can decide: exactly what would run or loosen, and what changed."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from leeboard.app.actors import actors, known_here
from leeboard.app.settings_files import read_project
from leeboard.settings.over import LOOSEN
from leeboard.text.words import counted
from leeboard.trust import record as trust
from leeboard.trust.actor import Actor, TrustRecord, asleep, difference


class ActorView(msgspec.Struct, frozen=True, kw_only=True):
    part: str
    place: str
    does: str
    shown: tuple[str, ...]
    digest: str
    trusted: bool
    acts: bool
    changed: tuple[str, ...]
    """How it differs from what was trusted."""


class PartView(msgspec.Struct, frozen=True, kw_only=True):
    """All that belongs to one part, which is trusted as a whole."""

    places: tuple[str, ...]
    does: str
    settings: str
    """The place of settings, which one new line puts to sleep as a whole; empty for what is no settings."""
    changed: tuple[str, ...]
    shown: tuple[str, ...]
    too_much: bool
    """More than can be looked at, so nobody can trust it."""


class TrustPage(msgspec.Struct, frozen=True, kw_only=True):
    repository: str
    problem: str
    """Why it can not be read what is trusted."""
    actors: tuple[ActorView, ...]
    wanted: tuple[Actor, ...]
    """What sleeps, and would be trusted."""
    sleeping: tuple[ActorView, ...]
    sleeping_parts: tuple[PartView, ...]
    awake_parts: tuple[PartView, ...]
    unread: tuple[str, ...]
    """What of the settings can not be read: nobody can tell what sleeps in it."""

    @property
    def loosens(self) -> bool:
        return any(is_settings(actor) and LOOSEN in actor.does for actor in self.wanted)


def trust_page(root: str) -> TrustPage:
    every = actors(root, os.environ)
    known = known_here(root, every)
    wanted = asleep(every, known.record)
    return TrustPage(
        repository=known.record.repository,
        problem=trust.escaped(known.problem),
        actors=tuple(actor_view(actor, known.record, every) for actor in every),
        wanted=wanted,
        sleeping=tuple(actor_view(actor, known.record, every) for actor in wanted),
        sleeping_parts=_parts(wanted, every, known.record),
        awake_parts=_parts([actor for actor in every if actor not in wanted], every, known.record),
        unread=tuple(map(trust.escaped, read_project(root, os.environ).notes)),
    )


def actor_view(actor: Actor, record: TrustRecord, every: Iterable[Actor]) -> ActorView:
    same = [each for each in every if each.part == actor.part]
    trusted = trust.in_whole_run() or record.trusts(actor.part, actor.digest)
    return ActorView(
        part=actor.part,
        place=trust.escaped(actor.place),
        does=actor.does,
        shown=actor.shown,
        digest=actor.digest,
        trusted=trusted,
        acts=actor.acts,
        changed=() if trusted else tuple(difference(record, same)),
    )


def _parts(found: Iterable[Actor], every: Iterable[Actor], record: TrustRecord) -> tuple[PartView, ...]:
    there = _by_part(every)
    return tuple(
        PartView(
            places=tuple(dict.fromkeys(trust.escaped(actor.place) for actor in same)),
            does=same[0].does,
            settings=trust.escaped(same[0].place) if is_settings(same[0]) else "",
            changed=tuple(difference(record, there[part])) if record.knows(part) else (),
            shown=tuple(line for actor in same for line in actor.shown),
            too_much=not all(actor.digest for actor in same),
        )
        for part, same in _by_part(found).items()
    )


def _by_part(found: Iterable[Actor]) -> dict[str, list[Actor]]:
    parts: dict[str, list[Actor]] = {}
    for actor in found:
        parts.setdefault(actor.part, []).append(actor)
    return parts


def is_settings(actor: Actor) -> bool:
    return actor.part.startswith("settings:")


def asleep_text(found: tuple[Actor, ...]) -> str:
    """`2 things not trusted, asleep: leeboard.toml, .haiku/...`; empty where nothing sleeps."""
    acting = [actor for actor in found if actor.acts]
    places = dict.fromkeys(actor.place for actor in acting)
    listed = ", ".join(map(trust.escaped, [*places][:4])) + (", ..." if len(places) > 4 else "")
    return f"{counted(len(acting), 'thing')} not trusted, asleep: {listed} (`leeboard trust`)" if acting else ""
