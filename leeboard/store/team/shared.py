"""What a team gives back to a member: allowances, the policy, and the newest steps of everybody.

Asked for in the background. Steps are those that changed since the last time, by the number of the transaction that
changed them: a transaction that was still running then is asked for again, so that none is passed over whose number is
lower and that ended later.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from leeboard.model.contract import SHARED, Allowance
from leeboard.model.outcome import TeamStep
from leeboard.store.team.copy import DECISIONS, NEWEST, TeamMark, TeamNews

if TYPE_CHECKING:
    from leeboard.store.team.postgres import TeamDatabase  # its package is an extra

_STEP_FIELDS = TeamStep.__struct_fields__
_SINCE = (
    f"SELECT seq, origin, {', '.join(chr(34) + name + chr(34) for name in _STEP_FIELDS)} "  # noqa: S608 - our own names
    "FROM leeboard.steps_since(%s, %s::text::xid8, %s)"
)
_OLDER = (
    f"SELECT (s).seq, (s).origin, {', '.join(f'(s).{chr(34)}{name}{chr(34)}' for name in _STEP_FIELDS)} "  # noqa: S608 - as above
    "FROM leeboard.steps_about(%s, %s, '{}', '{}', '{}', 0) AS f (list, s, goal)"
)
_MARK = (
    "SELECT pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text, "
    "(SELECT coalesce(max(number), 0) FROM leeboard.purges WHERE project = %s)"
)
_ALLOWANCES = (
    "SELECT id, rule, path, fingerprint, reason, until, by, member FROM leeboard.allowances "
    "WHERE project = %s AND NOT revoked AND origin <> %s ORDER BY id LIMIT 1000"
)
_POLICIES = "SELECT document FROM leeboard.policies WHERE project = %s ORDER BY serial DESC LIMIT 5"


def newest_decisions(remote: TeamDatabase, project: str, most: int) -> list[tuple[Any, ...]]:
    """The first of the four questions: what was decided in a project."""
    return remote.rows(_OLDER, project, most)


def steps_since(remote: TeamDatabase, project: str, known: TeamMark, own: str) -> TeamNews:
    """What others did since then; `own` is the name of this machine's database, which has its own steps itself."""
    (row,) = remote.rows(_MARK, project)
    mark = TeamMark(int(row[0]), int(row[1]))
    anew = known.transaction == 0 or mark.purges != known.purges or mark.transaction < known.transaction
    rows = remote.rows(_SINCE, project, str(0 if anew else known.transaction), NEWEST)
    if anew:
        rows += newest_decisions(remote, project, DECISIONS)
    found = {int(row[0]): step for row in rows if row[1] != own and (step := _team_step(row[2:])) is not None}
    return TeamNews(mark, anew, tuple(found.items()))


def _team_step(columns: tuple[Any, ...]) -> TeamStep | None:
    """None for what is no step: another program may have written it, and must not keep the rest from anybody."""
    try:
        return msgspec.convert(dict(zip(_STEP_FIELDS, columns, strict=True)), TeamStep, strict=False)
    except msgspec.ValidationError:
        return None


def shared_allowances(remote: TeamDatabase, project: str, own: str) -> tuple[Allowance, ...]:
    """Those of others that stand, as they are known here."""
    return tuple(_allowance(*row) for row in remote.rows(_ALLOWANCES, project, own) if isfinite(row[5]))


def _allowance(id_: str, rule: str, path: str, fingerprint: str, reason: str, *rest: Any) -> Allowance:
    until, by, member = rest
    return Allowance(
        id=f"{SHARED}{id_}",
        rule=rule,
        path=path,
        fingerprint=fingerprint,
        reason=reason,
        until=until,
        by=f"{by} ({member}, team)",
    )


def newest_policies(remote: TeamDatabase, project: str) -> list[str]:
    """The signed documents with the highest numbers, the newest first."""
    return [str(row[0]) for row in remote.rows(_POLICIES, project)]
