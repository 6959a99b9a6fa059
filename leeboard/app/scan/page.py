"""What a scan amounts to: what was found, what people have decided about it, and what is to be said beside it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from posixpath import dirname, exists, isdir

import msgspec

from leeboard.app.engine.cluster import Cluster
from leeboard.app.scan.at_rest import laid_to_rest, with_marked_since
from leeboard.app.scan.brought import scan_change
from leeboard.app.scan.change import ChangeOptions, ScannedChange, find_change
from leeboard.app.scan.decided import Decisions, Settled, idle_ids, read_decisions, settled
from leeboard.app.scan.env_file import with_index
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.hidden import hidden_by
from leeboard.app.scan.kept import KeptScans, judge_stamp
from leeboard.app.scan.repeated import told_once
from leeboard.app.scan.sent_files import scan_on
from leeboard.app.scan.target import Target, why_unlisted
from leeboard.app.scan.work import WEIGHTS, FileScan, Terms
from leeboard.app.settings_files import read_project, read_settings
from leeboard.io.clock import now
from leeboard.io.places import database, project_root
from leeboard.model.contract import Allowance
from leeboard.model.verdict import FindingState, PlacedFinding
from leeboard.settings.decisions import ALLOWED
from leeboard.settings.decisions.baseline import FILE, AcceptedFinding, described
from leeboard.text.words import counted

RANKS = {**{name.lower(): weight for name, weight in WEIGHTS.items()}, "never": 3}
"""The least that counts, as a person names it."""
_NAMED = 5
DECIDED: dict[FindingState, str] = {
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
    everything: bool = False
    """What people have let stand is told too."""
    whole: bool = False
    """The paths are whole work trees, so that what became of a file that is gone is known."""
    anew: bool = False
    """The baseline that is there is not read: another one takes its place."""
    change: ChangeOptions | None = None
    """Only what this change brought in."""
    cluster: Cluster | None = None
    """Who looks at them, if not processes of this machine."""


class ScanPage(msgspec.Struct, frozen=True, kw_only=True):
    found: tuple[PlacedFinding, ...]
    scanned: tuple[FileScan, ...]
    copies: str
    """What is said of duplicates where they were not looked for; empty where they were."""
    unheard: tuple[str, ...] = ()
    """What the settings of work trees say and does not count: nobody trusted it, or nobody can read it."""
    stale: tuple[AcceptedFinding, ...] = ()
    idle: tuple[str, ...] = ()
    """Ids in the committed allowances that nothing is known by any more."""
    everything: bool = False
    """What people have let stand is among what is told."""
    least: str = "log"
    compared: bool = False
    """A baseline was held beside it, or only a change was looked at."""
    of_change: bool = False
    lighter: int = 0
    """Findings that weigh less than what was asked for."""
    gone: tuple[str, ...] = ()
    """Files that were there at the last look of a scan that stays."""
    failed: bool = False
    """Nothing could be looked at this time, and `unheard` says why: no findings are no good news."""

    @property
    def worst(self) -> int:
        """The rank of what weighs most; negative where nothing was found."""
        return max(map(rank, self.found), default=-1)

    @property
    def decided(self) -> tuple[PlacedFinding, ...]:
        return tuple(item for one in self.scanned for item in one.decided)

    @property
    def told(self) -> tuple[PlacedFinding, ...]:
        """What a person reads, in the order of places: two that would read the same are one."""
        kept = (item for item in self.decided if rank(item) >= RANKS[self.least]) if self.everything else ()
        each = {(item.rule, item.path, item.line, item.message, item.state): item for item in (*self.found, *kept)}
        return tuple(sorted(each.values(), key=lambda item: (item.path, item.line)))

    @property
    def unfollowed(self) -> Counter[str]:
        """By kind, how many files nobody followed a value through."""
        return Counter(one.unfollowed for one in self.scanned if one.unfollowed)

    @property
    def unfollowed_note(self) -> str:
        """`3 files not analysed for injections: 2 .md, 1 .sh`; the most frequent kinds by name."""
        kinds = sorted(self.unfollowed.items(), key=lambda item: (-item[1], item[0]))
        named = ", ".join(f"{number} {kind}" for kind, number in kinds[:_NAMED])
        rest = sum(number for _kind, number in kinds[_NAMED:])
        more = f", {rest} of other kinds" if rest else ""
        total = counted(sum(self.unfollowed.values()), "file")
        return f"{total} not analysed for injections: {named}{more}" if kinds else ""

    @property
    def gaps(self) -> str:
        """`3 files not analysed: 2 binary, 1 larger than 2 MB (a.js, b.png, c.png)`; empty where all were."""
        without = sorted((one.problem == "binary", one.path) for one in self.scanned if one.problem)
        if not without:
            return ""
        reasons = Counter(one.problem for one in self.scanned if one.problem)
        listed = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        named = ", ".join(path for _binary, path in without[:_NAMED])
        more = f" and {len(without) - _NAMED} more" if len(without) > _NAMED else ""
        return f"{counted(len(without), 'file')} not analysed: {listed} ({named}{more})"

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
            f"{counted(states[state], 'finding')} {'marked' if self.everything else 'left out'}: {words}"
            for state, words in DECIDED.items()
            if states[state]
        )
        lighter = f"{counted(self.lighter, 'finding')} left out: below `--min {self.least}`" if self.lighter else ""
        more = f" and {len(self.gone) - _NAMED} more" if len(self.gone) > _NAMED else ""
        gone = f"gone: {', '.join(self.gone[:_NAMED])}{more}" if self.gone else ""
        remarks = (_without_effect(remark) for one in self.scanned for remark in one.remarks)
        return tuple(
            text
            for text in (
                *self.unheard,
                gone,
                self.gaps,
                self.unread,
                self.unfollowed_note,
                lighter,
                *left_out,
                *remarks,
                self._stale_note,
                self._idle_note,
            )
            if text
        )

    @property
    def _stale_note(self) -> str:
        if not self.stale:
            return ""
        named = "; ".join(map(described, self.stale[:_NAMED]))
        more = f" and {len(self.stale) - _NAMED} more" if len(self.stale) > _NAMED else ""
        many = "entries of" if len(self.stale) > 1 else "entry of"
        one = len(self.stale) == 1
        told = f"{len(self.stale)} {many} {FILE} no longer {'matches' if one else 'match'} anything: {named}{more}"
        return f"{told}; `leeboard scan --write-baseline` takes {'it' if one else 'them'} out"

    @property
    def _idle_note(self) -> str:
        if not self.idle:
            return ""
        named = "; ".join(self.idle[:_NAMED])
        more = f" and {len(self.idle) - _NAMED} more" if len(self.idle) > _NAMED else ""
        many, them = ("entry", "it") if len(self.idle) == 1 else ("entries", "them")
        told = f"{len(self.idle)} {many} of {ALLOWED} no longer {'matches' if them == 'it' else 'match'} anything"
        return f"{told}: {named}{more}; `leeboard allow --list` shows {them}, `--revoke ID` takes {them} out"


def _without_effect(remark: str) -> str:
    """`src/a.py:3: this comment has no effect: it gives no reason`."""
    place, _, why = remark.partition(": ")
    return f"{place}: this comment has no effect: {why}"


def scan_page(
    targets: tuple[Target, ...], asked: ScanOptions, advance: Callable[[], None], paths: tuple[str, ...] = ()
) -> ScanPage:
    """Look at the targets, or at what a change brought into the paths; `advance` hears of each file that is done."""
    roots = sorted({target.root for target in targets} | {root_around(path) for path in paths})
    page = _looked_at(targets, asked, advance, (roots, paths))
    return msgspec.structs.replace(page, unheard=tuple(note for root in roots for note in _unheard(root)))


def _looked_at(
    targets: tuple[Target, ...],
    asked: ScanOptions,
    advance: Callable[[], None],
    places: tuple[list[str], tuple[str, ...]],
) -> ScanPage:
    roots, paths = places
    decisions = {root: _decisions(root, asked) for root in roots}
    if asked.change is not None:
        return _page_of_changes(tuple(find_change(paths, asked.change, decisions)), asked, advance)
    terms = _terms(decisions, asked)
    kept = {root: KeptScans(root) for root in roots} if asked.cluster is None else {}
    if asked.cluster is None:
        found = scan(targets, terms, asked.jobs, kept=kept)
    else:
        found = scan_on(asked.cluster, targets, terms)
    scanned = tuple(map(with_index, targets, laid_to_rest(targets, tuple(_each(found, advance)), terms)))
    for one in kept.values():
        one.save()
    done = settled(targets, scanned, {root: one.accepted for root, one in decisions.items()}, whole=asked.whole)
    page = _page(done, (), asked, terms.values())
    return msgspec.structs.replace(
        page,
        compared=any(one.accepted for one in decisions.values()),
        idle=idle_ids(targets, scanned, decisions),
    )


def _page_of_changes(changes: tuple[ScannedChange, ...], asked: ScanOptions, advance: Callable[[], None]) -> ScanPage:
    """A change looks at its own files alone, so it can not tell which entries of the baseline are stale."""
    terms = _terms({one.root: one.decisions for one in changes}, asked)
    of_each = [tuple(_each(scan_change(one, terms[one.root], asked.jobs), advance)) for one in changes]
    scanned = [
        one for change, found in zip(changes, of_each, strict=True) for one in with_marked_since(change, found, terms)
    ]
    targets = tuple(target for change in changes for target in change.targets)
    done = settled(
        targets, tuple(map(with_index, targets, scanned)), {one.root: one.decisions.accepted for one in changes}
    )
    hidden = (item for one, found in zip(changes, of_each, strict=True) for item in hidden_by(one, found))
    decided = (*(item for one in changes for item in one.decided), *hidden)
    return _page(msgspec.structs.replace(done, stale=()), decided, asked, terms.values())


def _each(scanned: Iterable[FileScan], advance: Callable[[], None]) -> Iterator[FileScan]:
    for one in scanned:
        advance()
        yield one


def _page(done: Settled, decided: tuple[PlacedFinding, ...], asked: ScanOptions, terms: Iterable[Terms]) -> ScanPage:
    counts = "a person has reviewed it (`--reviewed`)" if asked.change is not None else "it is committed"
    found = (*decided, *told_once(_with_mark(item, counts) for one in done.scanned for item in one.found))
    return ScanPage(
        found=tuple(item for item in found if rank(item) >= RANKS[asked.least]),
        scanned=done.scanned,
        stale=done.stale,
        everything=asked.everything,
        least=asked.least,
        compared=asked.change is not None,
        of_change=asked.change is not None,
        lighter=sum(rank(item) < RANKS[asked.least] for item in found),
        copies=_copies(terms, duplicates=asked.duplicates),
    )


def _with_mark(item: PlacedFinding, counts: str) -> PlacedFinding:
    """Whoever wrote a comment for another tool is told from when on it lets stand what it is about."""
    if not item.marked or item.disposition == "LOG":
        return item
    return msgspec.structs.replace(item, message=f"{item.message} The mark on its line counts once {counts}.")


def rank(found: PlacedFinding) -> int:
    return RANKS[found.disposition.lower()]


def root_around(path: str) -> str:
    """The work tree that a path lies in."""
    real = os.path.realpath(path)
    return project_root(real if isdir(real) else dirname(real))


def _unheard(root: str) -> Iterator[str]:
    """What is wrong with the repository and the settings; and which rules a repository's switch off that are asked all
    the same, since nobody trusted them.
    """
    if unlisted := why_unlisted(root):
        yield unlisted
    found = read_project(root, os.environ)
    yield from found.notes
    if found.trusted or found.project is None:
        return
    off = [rule for rule in found.project.policy.disabled_rules if rule not in found.settings.policy.disabled_rules]
    told = f"{root}/leeboard.toml switches off {', '.join(off)}, which does not count: nobody trusted it here"
    if off:
        yield f"{told}; `leeboard trust` shows it and asks"


def _decisions(root: str, asked: ScanOptions) -> Decisions:
    disabled = read_settings(root, os.environ)[0].policy.disabled_rules
    return read_decisions(root, disabled, anew=asked.anew)


def _terms(decisions: dict[str, Decisions], asked: ScanOptions) -> dict[str, Terms]:
    """What each work tree's settings, people and, for duplicates, its index say."""
    own = _own_allowances(tuple(decisions))
    return {
        root: Terms(
            disabled=one.disabled,
            allowances=(*own.get(root, ()), *one.allowances),
            indexed=asked.duplicates and _indexed(root),
            stamp=judge_stamp(one.disabled),
        )
        for root, one in decisions.items()
    }


def _own_allowances(roots: tuple[str, ...]) -> dict[str, tuple[Allowance, ...]]:
    """What a person allowed on this machine."""
    if not exists(database()):
        return {}
    from leeboard.app.archive import opened_archive  # noqa: PLC0415 - where anything was recorded

    with opened_archive() as store:
        return {root: store.allowances(root, "", now()) for root in roots}


def _indexed(root: str) -> bool:
    from leeboard.source.index.symbols import open_symbols  # noqa: PLC0415 - where copies are looked for

    symbols = open_symbols(root)
    return symbols is not None and symbols.complete


def _copies(terms: Iterable[Terms], *, duplicates: bool) -> str:
    """What is said of duplicates where they were not looked for."""
    if not duplicates:
        return "duplicates: not analysed (`--duplicates` looks for them)"
    return "" if all(one.indexed for one in terms) else "duplicates: not analysed (run `leeboard index --wait`)"
