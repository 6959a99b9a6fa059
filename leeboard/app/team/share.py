"""What a person has their team told: that a finding may stand, that it may no longer, and that a project is forgotten.

Each is noted in the outbox, and told when the team can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from leeboard.app.team.ship import needed_team
from leeboard.app.team_files import MISSING, project_name, roots
from leeboard.errors import ConfigError, EffectError
from leeboard.model.contract import SHARED, Allowance
from leeboard.settings.team import TeamSettings
from leeboard.store.sqlite import SqliteStore
from leeboard.store.team import outbox


def shared_project(root: str) -> tuple[TeamSettings, str]:
    """The team, and its name for this project; ConfigError where it has no part in it."""
    team = needed_team()
    name = project_name(team, root)
    if not name:
        raise ConfigError(f"{root} is not shared with the team: name it in [team.projects] of your settings")
    return team, name


def share_with_team(store: SqliteStore, root: str, allowances: Iterable[Allowance]) -> None:
    """ConfigError where the project is not shared."""
    shared_project(root)
    for one in allowances:
        outbox.share(store.pages, one, root)


def revoke_here(store: SqliteStore, allowance_id: str) -> bool:
    """Whether there was such an allowance. One that was shared from here is taken back there too; one that somebody
    else has shared does not count on this machine any more.
    """
    taken_back = outbox.take_back(store.pages, allowance_id)
    if not store.revoke(allowance_id):
        return taken_back
    if allowance_id.startswith(SHARED):
        from leeboard.app.team.refresh import decline  # noqa: PLC0415 - only where a team has shared something

        decline(store.pages, allowance_id)
    return True


def have_team_forget(store: SqliteStore, root: str) -> str:
    """What this member has there of a project goes, when the team can be reached; the team's name for it."""
    _team, name = shared_project(root)
    outbox.have_forgotten(store.pages, root)
    return name


def have_team_forget_me(store: SqliteStore) -> tuple[str, ...]:
    """What this member has there of every project of theirs goes, when the team can be reached; the projects' names."""
    named = roots(needed_team())
    for root in named:
        outbox.have_forgotten(store.pages, root)
    return tuple(named.values())


def exported_from_team(root: str, *, everybody: bool = False) -> Iterator[dict[str, object]]:
    """One object for each row that the team's database has of a project: of this member, or of all. Without a root:
    what this member has there of every project.
    """
    team, name = shared_project(root) if root else (needed_team(), "")
    try:
        from leeboard.store.team.postgres import connected  # noqa: PLC0415 - only where a team is asked
    except ImportError as error:
        raise EffectError(MISSING) from error
    with connected(team.url) as remote:
        for each in (name,) if name else remote.projects():
            for table, row in remote.own_rows(each, everybody=everybody):
                columns = {key: _plain(value) for key, value in row.items()}
                yield {"kind": "team_row", "table": table, "columns": columns}


def _plain(value: Any) -> object:
    return value if value is None or isinstance(value, (bool, int, float, str, list, dict)) else str(value)
