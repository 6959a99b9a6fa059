"""Which of a team's projects a folder is, and what came back from the team and lies on this machine.

Read by every event of who has a team, so it starts nothing and asks nobody.
"""

from __future__ import annotations

import os
from collections.abc import Container, Mapping
from contextlib import suppress
from functools import lru_cache
from posixpath import dirname, exists, isfile, join, normpath

from leeboard.errors import ConfigError, LeeboardError
from leeboard.io import clock, places
from leeboard.io.file import read_regular
from leeboard.io.system import abspath, expanduser
from leeboard.model.outcome import TeamStep
from leeboard.model.verdict import Level, Verdict
from leeboard.settings.team import TeamSettings
from leeboard.settings.team_policy import LONGEST, TeamPolicy, parse, split

MISSING = "the team's database needs the package psycopg: install Leeboard with its extra `team`"
_LONGEST_PATH = 8_192
LOUD: tuple[Level, ...] = ("correct", "intervene", "halt")
"""What says more than a nudge, which stays as brief as it is."""


def roots(team: TeamSettings) -> dict[str, str]:
    """The team's name for the root of each project that is copied."""
    return {_root(place): name for name, place in team.projects.items()}


@lru_cache(maxsize=64)
def _root(place: str) -> str:
    return places.project_root(abspath(expanduser(place)))


def project_name(team: TeamSettings | None, root: str) -> str:
    """What the team calls the project around a work tree; empty where it has no part in it."""
    if team is None or not team.projects or not root:
        return ""
    return _named(roots(team), root)


def _named(named: Mapping[str, str], root: str) -> str:
    return named.get(root, "") or (named.get(_first_tree(root), "") if isfile(join(root, ".git")) else "")


def _first_tree(root: str) -> str:
    """The work tree that this one was made from."""
    from leeboard.io.git.place import find  # noqa: PLC0415 - only in a work tree that was added

    try:
        return dirname(normpath(find(root).shared))
    except LeeboardError:
        return ""


def shared_folder() -> str:
    return join(places.state_dir(), "team")


def policy_file(name: str) -> str:
    return join(shared_folder(), f"{name}.policy")


def root_file(name: str) -> str:
    """Says which folder a policy was taken for: asked where the settings are broken that said so."""
    return join(shared_folder(), f"{name}.root")


def held_roots() -> dict[str, str]:
    """The name of each project for which a policy was taken, by its root."""
    found: dict[str, str] = {}
    try:
        files = sorted(os.listdir(shared_folder()))  # noqa: PTH208 - paths are strings here
    except OSError:
        return found
    for name in (file.removesuffix(".root") for file in files if file.endswith(".root")):
        try:
            found[read_regular(root_file(name), _LONGEST_PATH).decode("utf-8", "surrogateescape")] = name
        except OSError:
            continue
    return found


def held_name(root: str) -> str:
    """What the team called the project around a work tree when its policy was taken; empty where none was."""
    return _named(held_roots(), root) if root else ""


def forget_roots(kept: Container[str] = ()) -> None:
    """For settings without a fault that name no team, or not these projects: whoever leaves is held no longer."""
    for name in held_roots().values():
        if name not in kept:
            with suppress(OSError):
                os.unlink(root_file(name))  # noqa: PTH108 - as above


def steps_file(name: str) -> str:
    return join(places.cache_dir(), "team", f"{name}.db")


def kept_document(name: str) -> str:
    try:
        return read_regular(policy_file(name), LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def kept_policy(name: str) -> TeamPolicy | None:
    """What was taken for a project. Its signature was checked when it came, and is checked with every look at the team:
    an event starts no process for it, and whoever can write this file could remove it as well.
    """
    document = kept_document(name)
    try:
        return parse(split(document)[0]) if document else None
    except ConfigError:
        return None


def is_over(policy: TeamPolicy) -> bool:
    return 0 < policy.expires <= clock.now()


# What others in the team did on the same thing, from the copy on this machine.


def team_past(
    path: str, files: tuple[str, ...], folders: tuple[str, ...], keywords: tuple[str, ...]
) -> tuple[TeamStep, ...]:
    """`path` is the copy's file, empty where there is no team. A copy that can not be read has nothing to tell."""
    if not path or not exists(path):
        return ()
    from leeboard.store.team.copy import team_copy  # noqa: PLC0415 - only where a team has shared something

    try:
        with team_copy(path) as copy:
            return copy.past_steps(files, folders, keywords)
    except LeeboardError:
        return ()


def words_of_team(path: str, verdict: Verdict) -> str:
    """Beside a correction: who else in the team changed the files that it is about, or others in their folders."""
    if verdict.level not in LOUD:
        return ""
    from leeboard.judge.briefing import told_of_team  # noqa: PLC0415 - only where something is said
    from leeboard.text.words import element  # noqa: PLC0415 - as above

    folders = tuple(one.rpartition("/")[0] + "/" for one in verdict.paths if "/" in one)
    told = told_of_team(team_past(path, verdict.paths, folders, ()))
    return element(told[0]) if told else ""
