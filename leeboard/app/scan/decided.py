"""What the people of a project have decided about findings: read from its committed files, held beside a scan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from posixpath import exists, join

import msgspec
from msgspec.structs import replace

from leeboard.app.allowances import committed_allowances
from leeboard.app.scan.judged_text import content_rules
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan
from leeboard.errors import ConfigError
from leeboard.io.file import file_lock, read_regular, replace_file
from leeboard.io.places import cache_dir, make_private_dir
from leeboard.model.contract import Allowance
from leeboard.model.lookup import BaseFiles
from leeboard.model.text import digest
from leeboard.model.verdict import PlacedFinding
from leeboard.secrets.redaction import redact_shaped
from leeboard.settings.decisions import allowed, baseline
from leeboard.settings.decisions.baseline import AcceptedFinding
from leeboard.settings.decisions.committed_file import UnreadableFileError
from leeboard.settings.toml import parse_tolerantly
from leeboard.trust.released import release


class Decisions(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the committed files of one work tree."""

    accepted: tuple[AcceptedFinding, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    disabled: tuple[str, ...] = ()
    """Rules that the settings switch off."""


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """A scan, with the baseline held beside it."""

    scanned: tuple[FileScan, ...]
    stale: tuple[AcceptedFinding, ...] = ()
    """Entries that stand for nothing any more."""


def read_decisions(root: str, disabled: tuple[str, ...], *, anew: bool = False) -> Decisions:
    """ConfigError for a file that can not be read as what it is. `anew`: the baseline is about to be written without
    the one that is there.
    """
    return Decisions(
        accepted=() if anew else read_baseline(root),
        allowances=committed_allowances(root),
        disabled=disabled,
    )


def read_baseline(root: str) -> tuple[AcceptedFinding, ...]:
    text = _text(root, baseline.FILE, baseline.LARGEST)
    return baseline.parse(text) if text is not None else ()


def why_unreadable(root: str) -> str:
    """Why nothing in the baseline can be kept; empty where it can, or there is none. ConfigError for one of another
    version, and for a file that nobody may read: such a one is not written over.
    """
    try:
        read_baseline(root)
    except UnreadableFileError as error:
        return str(error.__cause__)
    return ""


def decided_before(found: Decisions, base: BaseFiles) -> Decisions:
    """What was decided before a change already: what it decides for itself does not count."""
    accepted = set(baseline.known_entries(base.text(baseline.FILE)))
    allowances = set(allowed.known_allowances(base.text(allowed.FILE)))
    settings = [parse_tolerantly(base.text(name) or "", name)[0] for name in ("leeboard.toml", "pyproject.toml")]
    off = {rule for one in settings for rule in one.policy.disabled_rules}
    return Decisions(
        accepted=tuple(one for one in found.accepted if one in accepted),
        allowances=tuple(one for one in found.allowances if one in allowances),
        disabled=tuple(rule for rule in found.disabled if rule in off),
    )


def settled(
    targets: tuple[Target, ...],
    scanned: tuple[FileScan, ...],
    accepted: Mapping[str, tuple[AcceptedFinding, ...]],
    *,
    whole: bool = False,
) -> Settled:
    """The scans with what the baseline of their root accepts set apart, and its entries that match nothing any more.
    Whether a file that is gone was renamed is known only to who looked at the `whole` tree.
    """
    stale: list[AcceptedFinding] = []
    known: dict[str, frozenset[AcceptedFinding]] = {}
    for root, entries in accepted.items():
        mine = [(target, one) for target, one in zip(targets, scanned, strict=True) if target.root == root]
        names = {target.name for target, one in mine if not one.problem}
        there = partial(_is_there, root)
        matched = baseline.match(
            entries,
            (entry_of(item) for _, one in mine for item in (*one.found, *one.decided)),
            looked_at=lambda name, names=names, there=there: name in names or (whole and not there(name)),  # type: ignore[misc]  # bound at once
            is_there=there,
        )
        known[root] = matched.known
        stale += matched.stale
    pairs = zip(targets, scanned, strict=True)
    return Settled(
        scanned=tuple(_with_baseline(one, known.get(target.root, frozenset())) for target, one in pairs),
        stale=tuple(stale),
    )


def idle_ids(
    targets: tuple[Target, ...], scanned: tuple[FileScan, ...], decisions: Mapping[str, Decisions]
) -> tuple[str, ...]:
    """Committed ids of findings in files that were looked at, where nothing is known by them any more. An allowance of
    a rule is about what may come, too.
    """
    idle: list[str] = []
    for root, one in decisions.items():
        ids = {entry.fingerprint for entry in one.allowances if entry.fingerprint}
        if not ids:
            continue
        asked = {rule.id for rule in content_rules(one.disabled)}
        pairs = [pair for pair in zip(targets, scanned, strict=True) if pair[0].root == root and not pair[1].problem]
        found = {item.fingerprint for _, seen in pairs for item in (*seen.found, *seen.decided)}
        begins = tuple(f"{rule}:{target.name}:" for target, _ in pairs for rule in asked)
        idle += sorted(id_ for id_ in ids - found if id_.startswith(begins))
    return tuple(idle)


def _is_there(root: str, name: str) -> bool:
    return exists(join(root, name))


def entry_of(found: PlacedFinding) -> AcceptedFinding:
    """What is committed shows no token, were it the name of a file."""
    return AcceptedFinding(path=redact_shaped(found.name), rule=found.rule, what=found.what)


def write_baseline(
    root: str, looked_at: Iterable[str], found: Iterable[PlacedFinding], *, whole: bool, anew: bool = False
) -> int:
    """What is found now, and what stands there of files that nobody looked at; how many entries that is. Whether a file
    that is gone was renamed is known only to who looked at the `whole` tree. `anew` keeps nothing. Of two that write at
    once the second one finds what the first one wrote.
    """
    names, accepted = set(looked_at), set(map(entry_of, found))
    make_private_dir(cache_dir())
    with file_lock(join(cache_dir(), f"baseline-{digest(root, 8)}.lock")):
        had = () if anew else read_baseline(root)
        kept = (one for one in had if one.path not in names and (_is_there(root, one.path) or not whole))
        entries = {*kept, *accepted}
        replace_file(join(root, baseline.FILE), baseline.render(entries).encode())
        release(root, "decisions")
    return len(entries)


def _with_baseline(one: FileScan, known: frozenset[AcceptedFinding]) -> FileScan:
    if not known or not one.found:
        return one
    accepted = tuple(replace(item, state="baseline") for item in one.found if entry_of(item) in known)
    if not accepted:
        return one
    rest = tuple(item for item in one.found if entry_of(item) not in known)
    return replace(one, found=rest, decided=(*one.decided, *accepted))


def _text(root: str, name: str, largest: int) -> str | None:
    try:
        return read_regular(join(root, name), largest).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise ConfigError(f"{name}: can not be read: {error}") from error
