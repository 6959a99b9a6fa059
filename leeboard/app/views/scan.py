"""What a scan of files found, and what is to be said beside it: what was left out, and what was not analysed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from leeboard.app.archive import opened_archive
from leeboard.app.scan import FileScan, ScanFinding, Target, Terms, scan
from leeboard.app.settings_files import read_settings
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.source.index.symbols import open_symbols
from leeboard.text.words import counted

RANKS = {"log": 0, "queue": 1, "fire": 2, "never": 3}
"""How much a finding weighs, by its disposition."""


class ScanPage(msgspec.Struct, frozen=True, kw_only=True):
    found: tuple[ScanFinding, ...]
    scanned: tuple[FileScan, ...]
    copies: str
    """What is said of duplicates where they were not looked for; empty where they were."""

    @property
    def worst(self) -> int:
        """The rank of what weighs most; negative where nothing was found."""
        return max(map(_rank, self.found), default=-1)

    @property
    def gaps(self) -> str:
        """`3 files not analysed: 2 binary, 1 larger than 2 MB`; empty where all were."""
        reasons = Counter(one.problem for one in self.scanned if one.problem)
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        return f"{counted(reasons.total(), 'file')} not analysed: {listed}" if reasons else ""

    @property
    def notes(self) -> tuple[str, ...]:
        allowed = sum(one.allowed for one in self.scanned)
        passed = f"{counted(allowed, 'finding')} left out: allowed by a person" if allowed else ""
        return tuple(text for text in (self.gaps, passed) if text)


def scan_page(
    targets: tuple[Target, ...], least: str, jobs: int, advance: Callable[[], None], *, duplicates: bool
) -> ScanPage:
    """Look at the targets; `advance` hears of each that is done. What weighs less than `least` is left out."""
    terms, scanned = _terms_by_root(targets, duplicates=duplicates), []
    for one in scan(targets, terms, jobs):
        advance()
        scanned.append(one)
    return ScanPage(
        found=tuple(item for one in scanned for item in one.found if _rank(item) >= RANKS[least]),
        scanned=tuple(scanned),
        copies=_copies(terms.values(), duplicates=duplicates),
    )


def _rank(found: ScanFinding) -> int:
    return RANKS[found.disposition.lower()]


def _terms_by_root(targets: tuple[Target, ...], *, duplicates: bool) -> dict[str, Terms]:
    """What each work tree's settings, people and, for duplicates, its index say."""
    roots = sorted({target.root for target in targets})
    disabled = {root: read_settings(root, os.environ)[0].policy.disabled_rules for root in roots}
    found = {root: Terms(disabled[root], (), duplicates and _indexed(root)) for root in roots}
    if not Path(database()).exists():
        return found
    with opened_archive() as store:
        return {root: replace(terms, allowances=store.allowances(root, "", now())) for root, terms in found.items()}


def _indexed(root: str) -> bool:
    symbols = open_symbols(root)
    return symbols is not None and symbols.complete


def _copies(terms: Iterable[Terms], *, duplicates: bool) -> str:
    """What is said of duplicates where they were not looked for."""
    if not duplicates:
        return "duplicates: not analysed (`--duplicates` looks for them)"
    return "" if all(one.indexed for one in terms) else "duplicates: not analysed (run `leeboard index --wait`)"
