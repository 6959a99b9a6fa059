"""Copies what waits in the outbox to the team's database: in order, by one process at a time, and never awaited.
What the team gives back is taken in after that.

The resident starts it while nobody asks; `leeboard team ship` does the same at once. Where the database can not be
reached the next try waits twice as long, up to an hour, and everything waits on in the outbox.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from posixpath import exists, expanduser, isdir, join

import msgspec

from leeboard.app.settings_files import read_project
from leeboard.app.team_files import MISSING, forget_roots, held_roots, kept_policy, roots
from leeboard.errors import ConfigError, EffectError, LeeboardError
from leeboard.io import clock, places, system
from leeboard.io.detached import become, fork_twice
from leeboard.io.file import file_lock
from leeboard.settings.team import TeamSettings
from leeboard.store.database import Database
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.store.team import outbox

FIRST_WAIT, LONGEST_WAIT = 10.0, 3_600.0
"""Seconds before the next try, after the first failure and after many."""
REFRESH_SECONDS = 300.0
"""How old what came back from the team may become before it is asked for anew."""
NICENESS = 10
PATIENCE = 5.0
_RUN = "from leeboard.app.team.ship import run_detached; run_detached()"


class Shipped(msgspec.Struct, frozen=True, kw_only=True):
    """What a team's database took of the rows that waited, and what it did not."""

    copied: int = 0
    """Rows that the team's database has now."""
    refused: tuple[str, ...] = ()
    """Allowances that this role may not share."""
    forgotten: tuple[str, ...] = ()
    """Projects of which the team's database was told to forget what it had from here."""


class TeamBack(msgspec.Struct, frozen=True, kw_only=True):
    """What a team has given back of a project."""

    project: str
    allowances: int
    steps: int
    policy: int
    """The serial of its policy; 0 where none was taken."""


class TeamStatus(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "team"
    url: str
    projects: dict[str, str]
    """The team's name of each project that is copied, and its folder."""
    waiting: int
    """Rows that are not copied yet."""
    begun: bool = True
    """Whether rows are noted that are to be copied. Before, all that is recorded waits, and nobody has counted it."""
    shipped: int
    """Rows that were copied from here, in all."""
    last: str = ""
    """When the last batch arrived."""
    failures: int = 0
    """Tries without success since then."""
    error: str = ""
    next_try: str = ""
    trouble: str = ""
    """What keeps anything from being copied at all."""
    refreshed: str = ""
    """When what the team gives back was taken in."""
    back: tuple[TeamBack, ...] = ()
    """What was taken in, for each project."""
    refused: str = ""
    """Allowances that this role may not share."""
    policy_note: str = ""
    """Why the policy that the team publishes was not taken."""
    faults: tuple[str, ...] = ()
    """What is wrong with the settings, and what holds on meanwhile."""


def team_settings(env: Mapping[str, str]) -> TeamSettings | None:
    """Of the user's own file: no repository has a say in it."""
    return read_project("", env).settings.team


def needed_team() -> TeamSettings:
    found = read_project("", os.environ)
    team = found.settings.team
    if team is None and found.own_faults:
        raise ConfigError("; ".join((*found.own_faults, *_held_words())))
    if team is None:
        place = join(places.config_dir(), "leeboard.toml")
        raise ConfigError(f"no team is configured: put [team] with a url into {place} (`leeboard docs team` shows how)")
    return team


def _held_words(known: Container[str] = ()) -> tuple[str, ...]:
    """What goes on holding while the settings are broken, for people; `known` are projects that they still name."""
    names = [name for name in held_roots().values() if name not in known]
    held = [f"{kept.serial} for {name}" for name in names if (kept := kept_policy(name))]
    return (f"the team's policy {', '.join(held)}, taken before, holds on until that is mended",) if held else ()


def ship(team: TeamSettings, *, due_only: bool = False, again: bool = False) -> Shipped:
    """Copy all that waits. BusyError while another process is at it.

    `due_only`: nothing is tried before its time. `again`: what was copied before is copied once more.
    """
    places.make_private_dir(places.state_dir())
    with file_lock(_lock(), 0.0):
        store = open_store(places.database(), patience=PATIENCE)
        try:
            outbox.open_outbox(store.pages)
            if due_only and not _is_due(store.pages):
                return Shipped()
            if again:
                outbox.note_all(store.pages)
            return copy_waiting(store.pages, team, back=True)
        finally:
            store.close()


def copy_waiting(
    database: Database, team: TeamSettings, batch_size: int = outbox.BATCH, *, back: bool = False
) -> Shipped:
    """For whoever holds the lock. A batch that arrived is done; one that may have arrived is sent again. `back`: then
    what the team gives back is taken in.
    """
    try:
        from leeboard.app.team.refresh import refresh  # noqa: PLC0415 - only where something is shipped
        from leeboard.store.team.postgres import connected  # noqa: PLC0415 - as above
    except ImportError as error:
        raise EffectError(MISSING) from error
    done = Shipped()
    try:
        with connected(team.url) as remote:
            while batch := outbox.next_batch(database, roots(team), batch_size):
                wanted = [one for one in batch if one.project]
                refused = remote.put(wanted, outbox.origin(database)) if wanted else ()
                outbox.done(database, batch)
                arrived = _arrived(wanted, refused)
                _keep_success(database, arrived.copied)
                _keep_refused(database, wanted, refused)
                done = _together(done, arrived)
            if back:
                refresh(database, remote, team)
    except LeeboardError as error:
        _keep_failure(database, str(error))
        raise
    if not done.copied:
        _keep_success(database, 0)
    return done


def _arrived(batch: Sequence[outbox.Waiting], refused: tuple[str, ...]) -> Shipped:
    forgotten = tuple(dict.fromkeys(one.project for one in batch if one.kind == outbox.FORGET))
    rows = sum(one.kind != outbox.FORGET for one in batch)
    return Shipped(copied=rows - len(refused), refused=refused, forgotten=forgotten)


def _together(first: Shipped, second: Shipped) -> Shipped:
    return Shipped(
        copied=first.copied + second.copied,
        refused=(*first.refused, *second.refused),
        forgotten=tuple(dict.fromkeys((*first.forgotten, *second.forgotten))),
    )


def _keep_refused(database: Database, batch: Sequence[outbox.Waiting], refused: tuple[str, ...]) -> None:
    """What was refused is told until the team has taken it, or was told that it is taken back."""
    told = {one.key for one in batch if one.kind == "allowance"}
    if told:
        left = [one for one in outbox.refused(database) if one not in told]
        outbox.keep_state(database, refused=", ".join((*left, *refused)))


def _keep_success(database: Database, count: int) -> None:
    shipped = int(outbox.state(database).get("shipped", "0")) + count
    last = {"last": clock.iso(clock.now())} if count else {}
    outbox.keep_state(database, shipped=str(shipped), failures="0", error="", next_try="0", **last)


def _keep_failure(database: Database, error: str) -> None:
    failures = int(outbox.state(database).get("failures", "0")) + 1
    wait = min(FIRST_WAIT * 2.0 ** min(failures - 1, 30), LONGEST_WAIT)
    outbox.keep_state(database, failures=str(failures), error=error, next_try=str(clock.now() + wait))


def _is_due(database: Database) -> bool:
    kept = outbox.state(database)
    next_try = float(kept.get("next_try", "0"))
    return clock.now() >= next_try and (outbox.has_waiting(database) or _is_old(kept))


def _is_old(kept: Mapping[str, str]) -> bool:
    """Whether what came back from the team is to be asked for anew."""
    return clock.now() - float(kept.get("refreshed", "0")) >= REFRESH_SECONDS


def _lock() -> str:
    return join(places.state_dir(), "team.lock")


def has_driver() -> bool:
    """Whether the extra is there that speaks to PostgreSQL."""
    return find_spec("psycopg") is not None


def status(team: TeamSettings) -> TeamStatus:
    store = open_store(places.database(), patience=PATIENCE)
    try:
        kept, waiting = outbox.state(store.pages), outbox.count_waiting(store.pages)
        begun = outbox.is_open(store.pages)
        back = tuple(_given_back(store, root, name) for root, name in roots(team).items())
    finally:
        store.close()
    failures, next_try = int(kept.get("failures", "0")), float(kept.get("next_try", "0"))
    return TeamStatus(
        url=team.url,
        projects={name: root for root, name in roots(team).items()},
        waiting=waiting,
        begun=begun,
        shipped=int(kept.get("shipped", "0")),
        last=kept.get("last", ""),
        failures=failures,
        error=kept.get("error", ""),
        next_try=clock.iso(next_try) if failures else "",
        trouble="" if has_driver() else MISSING,
        refreshed=clock.iso(float(kept["refreshed"])) if "refreshed" in kept else "",
        back=back,
        refused=kept.get("refused", ""),
        policy_note=kept.get("policy_note", ""),
        faults=tuple(settings_faults(team)),
    )


def settings_faults(team: TeamSettings) -> Iterator[str]:
    """What of the settings keeps a project from being copied, or a policy from being known by them."""
    found = read_project("", os.environ)
    yield from found.own_faults
    if found.own_faults:
        yield from _held_words(team.projects if team.policy_keys else ())
    yield from missing_folders(team)


def missing_folders(team: TeamSettings) -> Iterator[str]:
    for name, place in team.projects.items():
        if not isdir(expanduser(place)):
            yield f"team.projects.{name}: {place} is no folder here, so nothing of it is copied"


def _given_back(store: SqliteStore, root: str, name: str) -> TeamBack:
    from leeboard.app.team.refresh import copied_steps  # noqa: PLC0415 - only where people ask

    policy = kept_policy(name)
    shared = [one for one in store.allowances(root, "", clock.now()) if one.is_shared]
    return TeamBack(
        project=name, allowances=len(shared), steps=copied_steps(name), policy=policy.serial if policy else 0
    )


# In the background: the resident looks now and then whether something is due, and has another process do it.


def ship_while_idle(env: Mapping[str, str]) -> bool:
    """Whether a process was started. Costs a look at a settings file where there is no team."""
    found = read_project("", env)
    team = found.settings.team
    if team is None and (found.own_faults or not exists(_lock())):  # a slip in the settings is no farewell
        return False
    if not found.own_faults:
        forget_roots(team.projects if team and team.policy_keys else ())
    store = open_store(places.database(), patience=PATIENCE)
    try:
        if team is None:
            outbox.close_outbox(store.pages)
            return False
        outbox.open_outbox(store.pages)
        due = _is_due(store.pages)
    finally:
        store.close()
    return due and fork_twice(lambda: become(_RUN, env))


def run_detached() -> None:
    """Ship what is due, in a process of its own that gives way to all others."""
    system.be_nice(NICENESS)
    team = team_settings(os.environ)
    if team is None:
        return
    with suppress(LeeboardError):  # kept beside the outbox, where `leeboard team status` shows it
        ship(team, due_only=True)
