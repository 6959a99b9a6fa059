"""What holds in a project: its work tree, its settings file and the environment over it, rules and allowances."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from posixpath import isfile, join

import msgspec

from leeboard.errors import ConfigError
from leeboard.io import clock, places
from leeboard.io.files import DiskFiles
from leeboard.io.secret_key import secret_key
from leeboard.model.contract import Constraint, Contract
from leeboard.model.lookup import Store
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.symbol import Symbols
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.runtime import Setting, Tree
from leeboard.wire.leeboard_toml import Settings, merge_environment, parse_tolerantly

LONGEST_FILE = 1 << 20
_KEPT = 64
"""Settings files a resident remembers."""

Look = tuple[int, int, int]

Found = tuple[Settings, tuple[str, ...]]
"""What is valid in a file, and what is wrong with it."""

_read_before: dict[str, tuple[Look, Found]] = {}


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    setting: Setting
    enabled: bool = True
    notes: tuple[str, ...] = ()
    """What is wrong with the settings; what is valid holds, and the defaults for the rest."""


def setting_for(cwd: str, session_id: str, store: Store, env: Mapping[str, str]) -> Setting:
    return resolve(cwd, session_id, store, env).setting


def resolve(cwd: str, session_id: str, store: Store, env: Mapping[str, str]) -> Resolved:
    """Never raises for what a person wrote: broken settings must not silence everything."""
    session = store.session(session_id) if session_id else None
    root = work_tree(cwd, session.root if session else "")
    settings, notes = read_settings(root, env)
    policy = settings.policy
    setting = Setting(
        workspace=Workspace(root),
        policy=policy,
        rules=discover(policy.disabled_rules),
        allowances=store.allowances(root, session_id, clock.now()),
        given=given_contract(settings),
        tree=Tree(DiskFiles(root), cache(lambda: indexed(root, session))),
        secret_key=secret_key(),
    )
    return Resolved(setting=setting, enabled=settings.enabled, notes=notes)


def indexed(root: str, session: Session | None) -> Symbols | None:
    """The index of the work tree, where there is one by now, under what the session has written since."""
    from leeboard.io.index.symbols import open_symbols  # noqa: PLC0415 - only for rules that ask

    marks = (mark for agent in session.agents for mark in agent.marks) if session else ()
    return open_symbols(root, {mark.path for mark in marks if mark.path})


def given_contract(settings: Settings) -> Contract:
    """What the settings promise for every session. A limit that can not be checked is still given to the agent."""
    if not settings.scope and not settings.constraints:
        return Contract()
    from leeboard.code.constraint import find_constraints  # noqa: PLC0415 - costs a hook process much, and few set it

    limits: list[Constraint] = []
    for text in settings.constraints:
        limits += find_constraints(text) or (Constraint(text=text[:160], kind="must"),)
    return Contract(scope=settings.scope, constraints=tuple(limits))


def work_tree(cwd: str, known: str) -> str:
    """The tree paths are spelled in. It stays the session's own wherever the agent goes, but for a linked work tree:
    that is where the work of that agent happens.
    """
    found = places.project_root(cwd)
    if not known or found == known:
        return found or known
    return found if is_linked(found) else known


def is_linked(root: str) -> bool:
    """A linked work tree of git has a file that points into another tree's `.git/worktrees/`."""
    mark = join(root, ".git")
    if not isfile(mark):
        return False
    try:
        with open(mark, "rb") as file:  # noqa: PTH123 - pathlib costs the hook process its import
            return b"/worktrees/" in file.read(4096)
    except OSError:
        return False


def policy_of(root: str) -> Policy:
    """The judge's numbers in a project, for who looks at what was judged there."""
    return read_settings(root, os.environ)[0].policy


def read_settings(root: str, env: Mapping[str, str]) -> tuple[Settings, tuple[str, ...]]:
    """The project's settings, else the user's, else the defaults; the environment over them. And what was wrong."""
    notes: list[str] = []
    settings = Settings()
    for path in (join(root, "leeboard.toml"), join(root, "pyproject.toml"), join(places.config_dir(), "leeboard.toml")):
        try:
            found = _read(path)
        except ConfigError as error:
            notes.append(str(error))
            break
        if found is not None:
            settings = found[0]
            notes.extend(found[1])
            break
    for name in ("LEEBOARD_PROFILE", "LEEBOARD_OFF"):
        try:
            settings = merge_environment(settings, {name: env.get(name, "")})
        except ConfigError as error:
            notes.append(str(error))
    return settings, tuple(notes)


def _read(path: str) -> Found | None:
    """None where the file is not there or does not speak of Leeboard."""
    try:
        seen = os.stat(path)  # noqa: PTH116 - as above
        look = (seen.st_ino, seen.st_size, seen.st_mtime_ns)
        known = _read_before.get(path)
        if known and known[0] == look:
            return known[1]
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            data = file.read(LONGEST_FILE)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: can not be read: {error}") from error
    if path.endswith("/pyproject.toml") and b"leeboard" not in data:
        return None
    found = parse_tolerantly(data.decode("utf-8", "replace"), path)
    while len(_read_before) >= _KEPT:
        del _read_before[next(iter(_read_before))]
    _read_before[path] = (look, found)
    return found
