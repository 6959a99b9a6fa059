"""Which of a team's projects a folder is, and what came back from the team and lies on this machine.

Read by every event of who has a team, so it starts nothing and asks nobody.
"""

from __future__ import annotations

from functools import lru_cache
from posixpath import dirname, isfile, join, normpath

from leeboard.errors import ConfigError, LeeboardError
from leeboard.io import clock, places
from leeboard.io.file import read_regular
from leeboard.io.system import abspath, expanduser
from leeboard.settings.team import TeamSettings
from leeboard.settings.team_policy import LONGEST, TeamPolicy, parse, split

MISSING = "the team's database needs the package psycopg: install `leeboard[team]`"


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
    named = roots(team)
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


def steps_file(name: str) -> str:
    return join(places.cache_dir(), "team", f"{name}.db")


def kept_document(name: str) -> str:
    try:
        return read_regular(policy_file(name), LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""


def kept_policy(name: str) -> TeamPolicy | None:
    """What was taken for a project. Its signature was checked when it came."""
    document = kept_document(name)
    try:
        return parse(split(document)[0]) if document else None
    except ConfigError:
        return None


def is_over(policy: TeamPolicy) -> bool:
    return 0 < policy.expires <= clock.now()
