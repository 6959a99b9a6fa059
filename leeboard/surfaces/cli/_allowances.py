"""A person's word that a finding may stand: made here by `allow` and by `scope widen`."""

from __future__ import annotations

import getpass
import hashlib
import os
from pathlib import Path

from leeboard.errors import ConfigError
from leeboard.io.clock import iso, now
from leeboard.model.contract import Allowance
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.surfaces.cli._until import parse_until


def scope_rules() -> tuple[str, ...]:
    """What widening the scope lets pass: the rules that ask where the work lies."""
    return tuple(loaded.id for loaded in discover() if loaded.traits.about_place)


def new_allowance(*, rule: str = "", path: str = "", fingerprint: str = "", reason: str, until: str) -> Allowance:
    """ConfigError without a reason, or where the end can not be read."""
    if not reason.strip():
        raise ConfigError("--reason must say why, for whoever asks later")
    seed = "\x1f".join((rule, path, fingerprint, reason, repr(now()), str(os.getpid())))
    return Allowance(
        id="a" + hashlib.blake2b(seed.encode("utf-8", "replace"), digest_size=4).hexdigest(),
        rule=rule,
        path=path,
        fingerprint=fingerprint,
        reason=" ".join(reason.split()),
        until=parse_until(until, now()),
        by=_person(),
    )


def spelled_in_project(given: str, root: str) -> str:
    """A path or glob as the rules spell it; ConfigError for one outside the project.

    A correction names paths from the top of the project: one that is not there below the current folder but is below
    the top means the latter.
    """
    workspace = Workspace(root)
    spelled = workspace.spell(given, str(Path.cwd()))
    from_top = workspace.spell(given, root)
    if not _there(root, spelled) and _there(root, from_top):
        spelled = from_top
    if not workspace.holds(spelled):
        raise ConfigError(f"{given} lies outside {root}; Leeboard leaves files there alone anyway")
    return spelled if spelled != "." else "**"


def described(allowance: Allowance) -> str:
    """What it lets pass."""
    if allowance.fingerprint:
        return allowance.fingerprint
    return f"{allowance.rule or 'every rule'} on {allowance.path or 'every path'}"


def how_long(allowance: Allowance) -> str:
    return f"until {iso(allowance.until)}" if allowance.until else "for good"


def allowance_object(allowance: Allowance) -> dict[str, object]:
    return {
        "kind": "allowance",
        "id": allowance.id,
        "rule": allowance.rule,
        "path": allowance.path,
        "fingerprint": allowance.fingerprint,
        "reason": allowance.reason,
        "until": iso(allowance.until) if allowance.until else None,
        "by": allowance.by,
    }


def _there(root: str, spelled: str) -> bool:
    return (Path(root) / spelled).exists()


def _person() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
