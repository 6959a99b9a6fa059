"""Takes in what a team gives back: allowances, its policy, and what others did, for whoever judges events here.

It runs in the process that ships, after that. Events go by what was taken in: they never ask the team, and what can not
be reached changes nothing.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from posixpath import dirname
from typing import TYPE_CHECKING

from leeboard.app.team.policy import take
from leeboard.app.team_files import roots, steps_file
from leeboard.errors import ConfigError, LeeboardError, StateError
from leeboard.io.clock import now
from leeboard.io.places import make_private_dir
from leeboard.model.contract import Allowance
from leeboard.model.verdict import subclass_of
from leeboard.rule import rule_named
from leeboard.settings.team import TeamSettings
from leeboard.store.database import Database
from leeboard.store.sqlite import allow, allowances, revoke
from leeboard.store.team import outbox
from leeboard.store.team.copy import team_copy
from leeboard.store.team.shared import newest_policies, shared_allowances, steps_since

if TYPE_CHECKING:
    from leeboard.store.team.postgres import TeamDatabase  # its package is an extra, and not all here ask the team

_DECLINED = "declined"


def refresh(database: Database, remote: TeamDatabase, team: TeamSettings) -> None:
    """For whoever holds the lock. What is wrong with a policy is kept beside the outbox, for people to be shown."""
    own, mine = outbox.origin(database), set(remote.projects())
    notes = []
    for root, name in roots(team).items():
        if name not in mine:
            continue
        notes += _take_policy(remote, team, name)
        _take_allowances(database, root, shared_allowances(remote, name, own))
        _take_steps(remote, name, own)
    outbox.keep_state(database, refreshed=str(now()), policy_note="; ".join(notes))


def _take_policy(remote: TeamDatabase, team: TeamSettings, name: str) -> list[str]:
    """The newest that can be taken, before anything else: what one member published badly stops no other's. Why
    the very newest was not taken.
    """
    notes = []
    for document in newest_policies(remote, name):
        try:
            take(document, team, name)
        except ConfigError as error:
            notes.append(f"{name}: {error}")
        else:
            break
    return notes[:1]


def _take_allowances(database: Database, root: str, found: tuple[Allowance, ...]) -> None:
    """In place of those taken before, but for what was declined here, or is no allowance that may be shared. One that
    goes on standing is not gone for a moment.
    """
    declined = set(_declined(database))
    counting = [one for one in found if one.id not in declined and _may_be_shared(one)]
    known = {one for one in allowances(database, root, "", now()) if one.is_shared}
    for gone in known - set(counting):
        revoke(database, gone.id)
    for one in counting:
        if one not in known:
            allow(database, one, root)


def _may_be_shared(one: Allowance) -> bool:
    """A secret is let stand by the value on one machine; a word without a rule or a place would let everything stand;
    what a person does in their own terminal alone nobody does for them; and what is refused is let pass one by one.
    """
    rule = rule_named(one.rule or one.fingerprint.partition(":")[0])
    if rule is None or subclass_of(rule.traits.subclass).passes_by_value or rule.traits.permit == "terminal":
        return False
    by_place = bool(one.path.strip("*/.")) and not rule.traits.denies
    return bool(one.reason) and (by_place or bool(one.fingerprint))


def decline(database: Database, allowance_id: str) -> None:
    """What somebody else lets stand does not count here, whatever the team says."""
    known = _declined(database)
    outbox.keep_state(database, **{_DECLINED: json.dumps([*known, allowance_id][-1_000:])})


def _declined(database: Database) -> list[str]:
    return [str(one) for one in json.loads(outbox.state(database).get(_DECLINED, "[]"))]


def _take_steps(remote: TeamDatabase, name: str, own: str) -> None:
    path = steps_file(name)
    make_private_dir(dirname(path))
    try:
        _brought_up_to_date(remote, name, own)
    except StateError:  # a cache that can not be read is made anew
        forget_copy(name)
        _brought_up_to_date(remote, name, own)


def _brought_up_to_date(remote: TeamDatabase, name: str, own: str) -> None:
    with team_copy(steps_file(name)) as copy:
        copy.take(steps_since(remote, name, copy.mark(), own))


def forget_copy(name: str) -> None:
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        with suppress(OSError):
            os.unlink(steps_file(name) + ending)  # noqa: PTH108 - paths are strings here


def copied_steps(name: str) -> int:
    """How many steps of others lie here."""
    if not os.path.exists(steps_file(name)):  # noqa: PTH110 - as above
        return 0
    try:
        with team_copy(steps_file(name)) as copy:
            return copy.count()
    except LeeboardError:
        return 0
