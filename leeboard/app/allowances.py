"""A person's word that a finding may stand: made by `allow` and by `scope widen`, for a path and for a time.

How long is said as people say it: `90m`, `2h`, `3d`, `2w`, or a date.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from posixpath import exists, join, lexists

from leeboard.errors import ConfigError
from leeboard.io import system
from leeboard.io.clock import now
from leeboard.io.file import read_regular, replace_file
from leeboard.model.contract import Allowance
from leeboard.model.text import digest
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.settings.decisions import allowed
from leeboard.trust import record
from leeboard.trust.actor import Actor
from leeboard.trust.released import release

_SPAN = re.compile(r"(\d{1,6})\s*([smhdw])[a-z]*", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_LONGEST = 10 * 366 * 86_400


def parse_span(text: str) -> int:
    """Seconds in a text such as `2h`; ConfigError naming the forms there are."""
    found = _SPAN.fullmatch(text.strip())
    seconds = int(found[1]) * _SECONDS[found[2].lower()] if found else 0
    if not 0 < seconds <= _LONGEST:
        raise ConfigError(f"{text!r} is not a length of time; write 90m, 2h, 3d or 2w")
    return seconds


def parse_until(text: str, now: float) -> float:
    """Epoch seconds of the end that a text such as `2h` or `2026-12-24T18:00` gives; zero for an empty one."""
    if not text:
        return 0.0
    if _SPAN.fullmatch(text.strip()):
        return now + parse_span(text)
    try:
        end = datetime.fromisoformat(text.strip()).astimezone().timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise ConfigError(f"--until {text!r} is not a time; write 2h, 3d or a date such as 2026-12-24T18:00") from error
    if end <= now:
        raise ConfigError(f"--until {text!r} is in the past")
    return end


def scope_rules() -> tuple[str, ...]:
    """The rules that ask where the work lies: widening the scope lets their findings pass."""
    return tuple(loaded.id for loaded in discover() if loaded.traits.about_place)


def new_allowance(*, rule: str = "", path: str = "", fingerprint: str = "", reason: str, until: str) -> Allowance:
    """An allowance of whoever runs this; ConfigError without a reason, or where the end can not be read."""
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


# Allowances that are committed. They loosen the guard of agents too, so in a session they sleep until a person on that
# machine trusted them; a scan or a check only tells of findings, and counts what it leaves out.


def committed_allowances(root: str) -> tuple[Allowance, ...]:
    """Those that have not ended. ConfigError for a file that can not be read as what it is."""
    text = _committed_text(root)
    found = allowed.parse(text) if text else ()
    return tuple(one for one in found if not one.until or one.until > now())


def trusted_allowances(root: str) -> tuple[Allowance, ...]:
    """Those that count in a session; none where nobody trusted the file as it is."""
    text = _committed_text(root)
    if not text or not record.trusts(root, *_part(text)):
        return ()
    try:
        return committed_allowances(root)
    except ConfigError:
        return ()


def allowances_actor(root: str) -> Iterator[Actor]:
    text = _committed_text(root)
    if not text:
        return
    part, key = _part(text)
    told = tuple(
        record.escaped(f"{one.fingerprint or one.rule} {one.path}: {one.reason}") for one in allowed.parse(text)
    )
    if told:
        yield Actor(part=part, digest=key, place=allowed.FILE, does="allowances: these findings may stand", shown=told)


def commit_allowances(root: str, made: Iterable[Allowance]) -> None:
    """Add them to the committed file. Who writes them here trusts them here."""
    _write(root, (*committed_allowances(root), *made))


def revoke_committed(root: str, allowance_id: str) -> bool:
    """Take it out of the committed file; False where no allowance there has this id."""
    known = committed_allowances(root)
    kept = tuple(one for one in known if one.id != allowance_id)
    if len(kept) == len(known):
        return False
    _write(root, kept)
    return True


def _write(root: str, allowances: tuple[Allowance, ...]) -> None:
    replace_file(join(root, allowed.FILE), allowed.render(allowances).encode())
    release(root, "decisions")
    record.grant(root, allowances_actor(root), record.PERSON)


def _committed_text(root: str) -> str:
    place = join(root, allowed.FILE)
    if not lexists(place):
        return ""
    try:
        return read_regular(place, allowed.LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError(f"{allowed.FILE}: can not be read: {error}") from error


def _part(text: str) -> tuple[str, str]:
    return f"allowances:{allowed.FILE}", digest(text, 16)


def spelled_in_project(given: str, root: str) -> str:
    """A path or glob as the rules spell it; ConfigError for one outside the project.

    A correction names paths from the top of the project: one that is not there below the current folder but is below
    the top means the latter.
    """
    workspace = Workspace(root)
    spelled = workspace.spell(given, os.getcwd())  # noqa: PTH109 - a text
    from_top = workspace.spell(given, root)
    if not _exists(root, spelled) and _exists(root, from_top):
        spelled = from_top
    if not workspace.holds(spelled):
        raise ConfigError(f"{given} lies outside {root}; Leeboard leaves files there alone anyway")
    return spelled if spelled != "." else "**"


def _exists(root: str, spelled: str) -> bool:
    return exists(join(root, spelled))


def _person() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(system.user())
