"""What a scan amounts to: what was found, what people have decided about it, and what is to be said beside it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname, exists, isdir

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.scan.change import ChangeOptions, ScannedChange, find_change, scan_change
from leeboard.app.scan.decided import Decisions, Settled, read_decisions, settled
from leeboard.app.scan.file_scan import FileScan, ScanFinding, State, Terms, scan
from leeboard.app.scan.target import Target
from leeboard.app.settings_files import read_settings
from leeboard.io.clock import now
from leeboard.io.places import database, project_root
from leeboard.model.contract import Allowance
from leeboard.settings.decisions.baseline import FILE, AcceptedFinding, described
from leeboard.source.index.symbols import open_symbols
from leeboard.text.words import counted

RANKS = {"log": 0, "queue": 1, "fire": 2, "never": 3}
"""How much a finding weighs, by its disposition."""
_NAMED = 5
_DECIDED: dict[State, str] = {
    "allowed": "allowed by a person",
    "suppressed": "let stand by a comment",
    "baseline": f"in {FILE}",
}


class ScanOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How files are looked at."""

    least: str = "log"
    """What weighs less is left out."""
    jobs: int = 0
    duplicates: bool = False
    undecided: bool = False
    """Nothing that people decided counts: all is told."""
    change: ChangeOptions | None = None
    """Only what this change brought in."""


class ScanPage(msgspec.Struct, frozen=True, kw_only=True):
    found: tuple[ScanFinding, ...]
    scanned: tuple[FileScan, ...]
    copies: str
    """What is said of duplicates where they were not looked for; empty where they were."""
    stale: tuple[AcceptedFinding, ...] = ()
    compared: bool = False
    """A baseline was held beside it, or only a change was looked at."""

    @property
    def worst(self) -> int:
        """The rank of what weighs most; negative where nothing was found."""
        return max(map(rank, self.found), default=-1)

    @property
    def decided(self) -> tuple[ScanFinding, ...]:
        return tuple(item for one in self.scanned for item in one.decided)

    @property
    def gaps(self) -> str:
        """`3 files not analysed: 2 binary, 1 larger than 2 MB`; empty where all were."""
        reasons = Counter(one.problem for one in self.scanned if one.problem)
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        return f"{counted(reasons.total(), 'file')} not analysed: {listed}" if reasons else ""

    @property
    def unread(self) -> str:
        """`2 files analysed in part: a.swift: its language is not supported ...`; the first of them by name."""
        found = [f"{one.path}: {one.unread}" for one in self.scanned if one.unread]
        more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        return f"{counted(len(found), 'file')} analysed in part: {'; '.join(found[:_NAMED])}{more}" if found else ""

    @property
    def notes(self) -> tuple[str, ...]:
        states = Counter(item.state for item in self.decided)
        left_out = (
            f"{counted(states[state], 'finding')} left out: {words}"
            for state, words in _DECIDED.items()
            if states[state]
        )
        remarks = (f"{remark}: the comment lets nothing stand" for one in self.scanned for remark in one.remarks)
        return tuple(text for text in (self.gaps, self.unread, *left_out, *remarks, self._stale_note) if text)

    @property
    def _stale_note(self) -> str:
        if not self.stale:
            return ""
        named = "; ".join(map(described, self.stale[:_NAMED]))
        more = f" and {len(self.stale) - _NAMED} more" if len(self.stale) > _NAMED else ""
        many = "entries of" if len(self.stale) > 1 else "entry of"
        told = f"{len(self.stale)} {many} {FILE} found nothing any more: {named}{more}"
        return f"{told}; `leeboard scan --write-baseline` takes them out"


def scan_page(
    targets: tuple[Target, ...], asked: ScanOptions, advance: Callable[[], None], paths: tuple[str, ...] = ()
) -> ScanPage:
    """Look at the targets, or at what a change brought into the paths; `advance` hears of each file that is done."""
    roots = sorted({target.root for target in targets} | {_root_of(path) for path in paths})
    decisions = {root: _decisions(root, asked) for root in roots}
    if asked.change is not None:
        return _page_of_changes(tuple(find_change(paths, asked.change, decisions)), asked, advance)
    terms = _terms(decisions, asked)
    scanned = tuple(_each(scan(targets, terms, asked.jobs), advance))
    done = settled(targets, scanned, {root: one.accepted for root, one in decisions.items()})
    page = _page(done, (), asked, terms.values())
    return msgspec.structs.replace(page, compared=any(one.accepted for one in decisions.values()))


def _page_of_changes(changes: tuple[ScannedChange, ...], asked: ScanOptions, advance: Callable[[], None]) -> ScanPage:
    """A change looks at its own files alone, so it can not tell which entries of the baseline are stale."""
    terms = _terms({one.root: one.decisions for one in changes}, asked)
    scanned = [one for change in changes for one in _each(scan_change(change, terms[change.root], asked.jobs), advance)]
    targets = tuple(target for change in changes for target in change.targets)
    done = settled(targets, tuple(scanned), {one.root: one.decisions.accepted for one in changes})
    decided = tuple(item for one in changes for item in one.decided)
    return _page(msgspec.structs.replace(done, stale=()), decided, asked, terms.values())


def _each(scanned: Iterable[FileScan], advance: Callable[[], None]) -> Iterator[FileScan]:
    for one in scanned:
        advance()
        yield one


def _page(done: Settled, decided: tuple[ScanFinding, ...], asked: ScanOptions, terms: Iterable[Terms]) -> ScanPage:
    found = (*decided, *(item for one in done.scanned for item in one.found))
    return ScanPage(
        found=tuple(item for item in found if rank(item) >= RANKS[asked.least]),
        scanned=done.scanned,
        stale=done.stale,
        compared=asked.change is not None,
        copies=_copies(terms, duplicates=asked.duplicates),
    )


def rank(found: ScanFinding) -> int:
    return RANKS[found.disposition.lower()]


def _root_of(path: str) -> str:
    real = os.path.realpath(path)
    return project_root(real if isdir(real) else dirname(real))


def _decisions(root: str, asked: ScanOptions) -> Decisions:
    disabled = read_settings(root, os.environ)[0].policy.disabled_rules
    return Decisions(disabled=disabled) if asked.undecided else read_decisions(root, disabled)


def _terms(decisions: dict[str, Decisions], asked: ScanOptions) -> dict[str, Terms]:
    """What each work tree's settings, people and, for duplicates, its index say."""
    own = _own_allowances(tuple(decisions)) if not asked.undecided else {}
    return {
        root: Terms(
            disabled=one.disabled,
            allowances=(*own.get(root, ()), *one.allowances),
            indexed=asked.duplicates and _indexed(root),
            decisions=not asked.undecided,
        )
        for root, one in decisions.items()
    }


def _own_allowances(roots: tuple[str, ...]) -> dict[str, tuple[Allowance, ...]]:
    """What a person allowed on this machine."""
    if not exists(database()):
        return {}
    with opened_archive() as store:
        return {root: store.allowances(root, "", now()) for root in roots}


def _indexed(root: str) -> bool:
    symbols = open_symbols(root)
    return symbols is not None and symbols.complete


def _copies(terms: Iterable[Terms], *, duplicates: bool) -> str:
    """What is said of duplicates where they were not looked for."""
    if not duplicates:
        return "duplicates: not analysed (`--duplicates` looks for them)"
    return "" if all(one.indexed for one in terms) else "duplicates: not analysed (run `leeboard index --wait`)"
