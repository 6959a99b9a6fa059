"""Allowances that travel with a repository: what `leeboard allow --project` writes, one to a line.

They say the same as those a person keeps on their own machine, and have an end and a reason as those do. A secret is
not among them: it is let stand by a comment beside it, or by the baseline.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from leeboard.errors import ConfigError
from leeboard.model.contract import Allowance
from leeboard.settings.decisions import ALLOWED, committed_file
from leeboard.settings.decisions.committed_file import CommittedFile

FILE = ALLOWED
LARGEST = 1 << 20


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    id: str
    rule: str = ""
    path: str = ""
    finding: str = ""
    reason: str
    until: str | float = ""
    """In UTC, for people to read; a number of seconds in a file of an earlier checkout. Empty: for good."""
    by: str = ""


class _File(CommittedFile, frozen=True):
    allowed: tuple[_Entry, ...] = ()


def parse(text: str, name: str = FILE) -> tuple[Allowance, ...]:
    """ConfigError for what is no such file, and for an entry that allows everything or does not say why."""
    found = committed_file.read(text, _File, name, "leeboard allow --project")
    for entry in found.allowed:
        if not (entry.rule or entry.finding) or not entry.reason.strip():
            raise ConfigError(f"{name}: {entry.id or 'an entry'} needs a rule or a finding, and a reason")
    return tuple(_allowance(entry, name) for entry in found.allowed)


def known_allowances(text: str | None) -> tuple[Allowance, ...]:
    """What a file allowed as it was then: one that could not be read allowed nothing."""
    try:
        return parse(text) if text else ()
    except ConfigError:
        return ()


def render(allowances: Iterable[Allowance]) -> str:
    return committed_file.written("allowed", map(_entry, allowances))


def _allowance(entry: _Entry, name: str) -> Allowance:
    return Allowance(
        id=entry.id,
        rule=entry.rule,
        path=entry.path,
        fingerprint=entry.finding,
        reason=entry.reason,
        until=_seconds(entry, name),
        by=entry.by,
    )


def _seconds(entry: _Entry, name: str) -> float:
    if isinstance(entry.until, float) or not entry.until:
        return float(entry.until or 0)
    try:
        end = datetime.fromisoformat(entry.until)
        return (end if end.tzinfo else end.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise ConfigError(
            f"{name}: {entry.id}: until {entry.until!r} is no date such as 2026-12-24T18:00:00Z"
        ) from error


def _date(until: float) -> str:
    """To the second, and never before its time."""
    return f"{datetime.fromtimestamp(math.ceil(until), UTC):%Y-%m-%dT%H:%M:%SZ}" if until else ""


def _entry(one: Allowance) -> _Entry:
    return _Entry(
        id=one.id,
        rule=one.rule,
        path=one.path,
        finding=one.fingerprint,
        reason=one.reason,
        until=_date(one.until),
        by=one.by,
    )
