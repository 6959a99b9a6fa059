"""The settings that count in a project: the user's own, the repository's over them, and a team's policy over all.

A repository may only make the guard stricter. What loosens, runs or is told to agents counts once the user trusted the
file as it is (`leeboard trust`). A team's policy only tightens, whoever signed it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from posixpath import basename, join
from typing import TYPE_CHECKING

import msgspec

from leeboard.errors import ConfigError
from leeboard.io import places
from leeboard.io.file import read_start
from leeboard.settings.settings import LARGEST, Settings, too_large

if TYPE_CHECKING:
    from leeboard.settings.team import TeamSettings
    from leeboard.settings.team_policy import TeamPolicy
    from leeboard.trust.actor import Actor

LONGEST_FILE = 1 << 20
_KEPT = 64
"""Settings files a resident remembers."""
_IN_PROJECT = ("leeboard.toml", "pyproject.toml")
"""The first that speaks of Leeboard counts."""

Look = tuple[int, int, int]

Found = tuple[Settings, tuple[str, ...]]
"""What is valid in a file, and what is wrong with it."""

_read_before: dict[str, tuple[Look, Found]] = {}
_policies_before: dict[str, tuple[Look, TeamPolicy | None]] = {}


class ProjectSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What counts in a project, and how it came about: the file's own settings, their slips, who has to trust them."""

    settings: Settings
    notes: tuple[str, ...] = ()
    """What is wrong with them."""
    project: Settings | None = None
    """What the repository's own file says, all of it; None where it has none."""
    actor: Actor | None = None
    """What of it has to be trusted; None where it only tightens."""
    trusted: bool = True
    untightened: Settings | None = None
    """What would count without the team's policy; None where there is none."""
    policy: TeamPolicy | None = None
    """What the team has published, as it was taken."""
    own_faults: tuple[str, ...] = ()
    """Those of the notes that are about the user's own file."""


def read_settings(root: str, env: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """What counts, with the environment over it. And what was wrong."""
    found = read_project(root, env)
    return found.settings, found.notes


def read_project(root: str, env: Mapping[str, str]) -> ProjectSettings:
    """What counts, and what the repository says that does not."""
    found = _without_policy(root, env)
    policy = _team_policy(found.settings.team, root) if found.settings.team is not None else None
    if policy is None and found.own_faults and (policy := _held_policy(root)) is not None:
        told = f"the team's policy {policy.serial}, taken before, holds on here until your settings are mended"
        found = msgspec.structs.replace(found, notes=(*found.notes, told))
    if policy is None:
        return found
    from leeboard.settings.over import tightened  # noqa: PLC0415 - few people have a team with a policy

    settings = tightened(found.settings, policy.settings)
    limits = tuple(limit for limit in settings.constraints if limit not in found.settings.constraints)
    settings = msgspec.structs.replace(settings, team_limits=limits, team_serial=policy.serial)
    return msgspec.structs.replace(found, settings=settings, untightened=found.settings, policy=policy)


def _team_policy(team: TeamSettings, root: str) -> TeamPolicy | None:
    """What was taken for this project. A look at one file, for who has a team."""
    from leeboard.app.team_files import project_name  # noqa: PLC0415 - only for who has a team

    name = project_name(team, root)
    return _kept(name) if name and team.policy_keys else None


def _held_policy(root: str) -> TeamPolicy | None:
    """What was taken for this project while the settings could be read: a slip in them loosens nothing."""
    from leeboard.app.team_files import held_name  # noqa: PLC0415 - only where settings are broken

    name = held_name(root)
    return _kept(name) if name else None


def _kept(name: str) -> TeamPolicy | None:
    from leeboard.app.team_files import kept_policy, policy_file  # noqa: PLC0415 - only for who has a team

    path = policy_file(name)
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib costs the hook process its import
    except OSError:
        return None
    look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    known = _policies_before.get(path)
    if known is None or known[0] != look:
        known = _policies_before[path] = (look, kept_policy(name))
    return known[1]


def _without_policy(root: str, env: Mapping[str, str]) -> ProjectSettings:
    notes: list[str] = []
    own = _found((join(places.config_dir(), "leeboard.toml"),), notes)[1]
    base = msgspec.structs.replace(own, said=()) if own else Settings()
    faults = tuple(notes)
    path, project = _found(tuple(join(root, name) for name in _IN_PROJECT), notes)
    if project is None:
        return ProjectSettings(settings=_under(base, env, notes), notes=tuple(notes), own_faults=faults)
    if project.judge is not None:
        notes.append(f"{path}: judge counts in your own settings alone: a repository names no model to be asked")
    if project.team is not None:
        notes.append(f"{path}: team counts in your own settings alone: a repository sends your records nowhere")
    if project.otel is not None:
        notes.append(f"{path}: otel counts in your own settings alone: a repository names no collector")
    from leeboard.settings.over import laid_over  # noqa: PLC0415 - most projects have no settings of their own

    actor = settings_actor(base, project, basename(path))
    trusted = actor is None or _is_trusted(root, actor)
    settings = _under(laid_over(base, project, trusted=trusted), env, notes)
    return ProjectSettings(
        settings=settings, notes=tuple(notes), project=project, actor=actor, trusted=trusted, own_faults=faults
    )


def settings_files(root: str) -> tuple[str, ...]:
    """The files that speak in a project, the user's own first."""
    own = (join(places.config_dir(), "leeboard.toml"),)
    found = (_found(files, [])[0] for files in (own, tuple(join(root, name) for name in _IN_PROJECT)))
    return tuple(path for path in found if path)


def settings_actor(base: Settings, project: Settings, name: str) -> Actor | None:
    """What of a repository's settings acts only once it is trusted; None where all of it tightens."""
    from leeboard.settings.over import (  # noqa: PLC0415 - most projects have no settings of their own
        doing,
        sleeping,
        stated,
    )
    from leeboard.trust.actor import Actor  # noqa: PLC0415 - most projects have no settings of their own
    from leeboard.trust.record import digest_of, escaped  # noqa: PLC0415 - as above

    shown = tuple(f"{escaped(said)}  ({does})" for said, does in sleeping(base, project))
    if not shown:
        return None
    return Actor(
        part=f"settings:{name}",
        digest=digest_of(stated(project)),
        place=name,
        does=f"settings that {doing(base, project)}",
        shown=shown,
    )


def _is_trusted(root: str, actor: Actor) -> bool:
    from leeboard.trust.record import trusts  # noqa: PLC0415 - as above

    return trusts(root, actor.part, actor.digest)


def _under(settings: Settings, env: Mapping[str, str], notes: list[str]) -> Settings:
    for name in filter(env.get, ("LEEBOARD_PROFILE", "LEEBOARD_OFF")):
        from leeboard.settings.toml import merge_environment  # noqa: PLC0415 - few people set one

        try:
            settings = merge_environment(settings, {name: env[name]})
        except ConfigError as error:
            notes.append(str(error))
    return settings


def _found(files: tuple[str, ...], notes: list[str]) -> tuple[str, Settings | None]:
    """The first that speaks of Leeboard, and what it says."""
    for path in files:
        try:
            found = _read(path)
        except ConfigError as error:
            notes.append(str(error))
            return path, None
        if found is not None:
            notes.extend(found[1])
            return path, found[0]
    return "", None


def _read(path: str) -> Found | None:
    """None where the file is not there or does not speak of Leeboard."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - pathlib costs the hook process its import
        look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
        known = _read_before.get(path)
        if known and known[0] == look:
            return known[1]
        data = read_start(path, LONGEST_FILE, follow=True)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: can not be read: {error}") from error
    large = seen.st_size > LARGEST
    if path.endswith("/pyproject.toml") and (b"tool.leeboard" if large else b"leeboard") not in data:
        return None
    if large:
        raise ConfigError(too_large(path, seen.st_size))
    from leeboard.settings.toml import parse_tolerantly  # noqa: PLC0415 - only where there is a file

    found = parse_tolerantly(data.decode("utf-8", "replace"), path)
    while len(_read_before) >= _KEPT:
        del _read_before[next(iter(_read_before))]
    _read_before[path] = (look, found)
    return found
