"""A scan of many files: what is still the same is known, the rest is judged, in several processes where it is much."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import msgspec

from leeboard.app.engine.collecting import collecting_seldom, loaded_for_good
from leeboard.app.scan.judged_text import is_copy, judged_text, scan_key
from leeboard.app.scan.kept import KeptScans, KeptText, text_key
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedFiles
from leeboard.app.scan.told import told_of
from leeboard.app.scan.unanalysed import unreadable
from leeboard.app.scan.work import Before, FileScan, Terms, Work
from leeboard.model.lookup import Tree
from leeboard.model.symbol import Symbols
from leeboard.model.verdict import PlacedFinding
from leeboard.text.language import is_env_file

_WORTH_A_POOL = 48
_IN_A_BATCH = 24
_AHEAD = 8


class _Judged(msgspec.Struct, frozen=True):
    """One file, and what the next scan need not find out again: under no key where it can not rely on it."""

    scan: FileScan
    key: bytes = b""
    kept: KeptText = KeptText()


def scan(
    targets: tuple[Target, ...],
    terms: Mapping[str, Terms],
    jobs: int = 0,
    before: Mapping[Target, Before] | None = None,
    kept: Mapping[str, KeptScans] | None = None,
) -> Iterator[FileScan]:
    """In the order of the targets. `terms` by root; `jobs` 0: as many processes as cores where there are many files.
    `before`: only what came since then is told. `kept`: by root, what the files held that are still the same.
    """
    pairs: set[tuple[str, ...]] = set()
    then = before or {}
    work = [(target, terms.get(target.root, Terms()), then.get(target)) for target in targets]
    for one in _scan_changed(work, jobs, kept or {}):
        found = tuple(item for item in one.found if not is_copy(item.subclass) or _is_new_pair(item, pairs))
        yield one if len(found) == len(one.found) else msgspec.structs.replace(one, found=found)


def _is_new_pair(found: PlacedFinding, pairs: set[tuple[str, ...]]) -> bool:
    """The copy that is met first is told: each is a copy of the other."""
    pair = tuple(sorted(found.fingerprint.partition(":")[2].split("~")))
    known = pair in pairs
    pairs.add(pair)
    return not known


def _scan_changed(work: list[Work], jobs: int, kept: Mapping[str, KeptScans]) -> Iterator[FileScan]:
    """All of them; those are judged that nothing is kept of."""
    known = [_known(one, kept.get(one[0].root)) for one in work]
    rest = _scan_all([one for one, scan in zip(work, known, strict=True) if scan is None], jobs)
    for (target, _terms, _before), scan in zip(work, known, strict=True):
        if scan is not None:
            yield scan
            continue
        judged = next(rest)
        if judged.key and target.root in kept:
            kept[target.root].add(judged.key, judged.kept)
        yield judged.scan


def _known(work: Work, kept: KeptScans | None) -> FileScan | None:
    target, terms, _before = work
    if kept is None or not _may_be_kept(work):
        return None
    text = ScannedFiles(target.root).text(target.name)
    found = kept.find(text_key(terms.stamp, target.name, text)) if text is not None else None
    return told_of(text, work, found, scan_key()) if text is not None and found is not None else None


def _may_be_kept(work: Work) -> bool:
    """Where the text alone decides: of an environment file it counts whether git ignores it, of copies the index."""
    target, terms, before = work
    return bool(terms.stamp) and before is None and not terms.indexed and not is_env_file(target.name)


def _scan_all(work: list[Work], jobs: int) -> Iterator[_Judged]:
    """Some from all over the tree first, in this process: what they load and compile, the others find ready."""
    processes = jobs or (1 if len(work) < _WORTH_A_POOL else os.cpu_count() or 1)
    step = 1 + len(work) // _AHEAD
    with collecting_seldom():
        ahead = iter(list(map(_scan_one, work[::step])))
        with loaded_for_good():
            others = [one for place, one in enumerate(work) if place % step]
            rest = _side_by_side(others, processes) if processes > 1 and others else map(_scan_one, others)
            for place in range(len(work)):
                yield next(ahead if place % step == 0 else rest)


def _side_by_side(work: list[Work], processes: int) -> Iterator[_Judged]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - costs more than a few files

    with ProcessPoolExecutor(max_workers=processes) as pool:
        yield from pool.map(_scan_one, work, chunksize=min(_IN_A_BATCH, 1 + len(work) // processes))


def _scan_one(work: Work) -> _Judged:
    target, terms, before = work
    if before is not None and before.problem:
        return _Judged(FileScan(path=target.shown, problem=before.problem))
    files = ScannedFiles(target.root)
    text = before.after if before is not None and before.after is not None else files.text(target.name)
    if text is None:
        return _Judged(FileScan(path=target.shown, problem=unreadable(target)))
    symbols = _symbols(target.root) if terms.indexed else None
    kept = judged_text(text, work, Tree(files, lambda: symbols), scan_key())
    sound = all(finding.signal is not None for finding in kept.findings)
    key = text_key(terms.stamp, target.name, text) if sound and _may_be_kept(work) else b""
    return _Judged(told_of(text, work, kept, scan_key()), key, kept)


def _symbols(root: str) -> Symbols | None:
    """Opened for each file: a connection must not be carried into another process."""
    from leeboard.source.index.symbols import open_symbols  # noqa: PLC0415 - where copies are looked for

    return open_symbols(root)
