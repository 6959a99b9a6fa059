"""What lies in a work tree already, told apart from what somebody is about to commit.

A session refuses what an agent writes, and `--diff` and `--staged` look at a change. A scan of a tree looks at what is
there: of what was committed before, some findings are worth a look and no more, or only a line in the log
(`Signal.at_rest`). Code that has been read and has run is seldom wrong where a new line of the same form often is. What
has changed since the last commit is judged as a change: a finding that it brings in or makes surer is being written,
wherever its line stands. Where no git takes the file, all of it lies there. A comment for another tool lets stand what
was committed with it, and nothing that it came to since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing

import msgspec
from msgspec.structs import replace

from leeboard.app.scan.brought import scan_change
from leeboard.app.scan.change import ChangeOptions, ScannedChange, find_change
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedBase, ScannedFiles
from leeboard.app.scan.told import let_by_mark
from leeboard.app.scan.work import WEIGHTS, Before, FileScan, Terms
from leeboard.errors import LeeboardError
from leeboard.io.git.work_tree import head_of
from leeboard.model.verdict import PlacedFinding
from leeboard.secrets.whereabouts import marked_lines

MOST = 0.8
"""How sure such a one is at most: it is told at a pause."""


class Since(msgspec.Struct, frozen=True):
    """What became of one file since the last commit."""

    new: tuple[PlacedFinding, ...] = ()
    """All that is found in it and was not found there then."""
    unmarked: frozenset[str] = frozenset()
    """What was found there then without a comment for another tool, by fingerprint."""


def laid_to_rest(
    targets: tuple[Target, ...], scanned: tuple[FileScan, ...], terms: Mapping[str, Terms]
) -> Iterator[FileScan]:
    """The scans, with what was committed before at most queued, or logged, where its rule says so."""
    pairs = tuple(zip(targets, scanned, strict=True))
    asking: dict[str, list[Target]] = {}
    marked: set[Target] = set()
    for target, one in pairs:
        if any(map(_is_asked, (*one.found, *one.decided))):
            asking.setdefault(target.root, []).append(target)
        if any(item.marked for item in (*one.found, *one.decided)):
            marked.add(target)
    written: dict[Target, Since] = {}
    for root, mine in asking.items():
        written |= _written_in(root, mine, terms.get(root, Terms()), marked)
    for target, one in pairs:
        new = _Written(written.get(target, Since()), (*one.found, *one.decided))
        yield replace(one, found=tuple(map(new.told, one.found)), decided=tuple(map(new.told, one.decided)))


def _is_asked(item: PlacedFinding) -> bool:
    return bool(item.marked) or _is_less(item)


def _is_less(item: PlacedFinding) -> bool:
    return bool(item.at_rest) and WEIGHTS[item.disposition] > WEIGHTS[item.rests_at]


class _Written:
    """What is being written in one file, beside all that is found in it."""

    def __init__(self, since: Since, found: Sequence[PlacedFinding]) -> None:
        self._new = {_place(item): item for item in since.new}
        self._unmarked = since.unmarked
        self._elsewhere = {_kind(item) for item in since.new} if self._new.keys() - set(map(_place, found)) else set()
        """Of a kind that is told once for the file or the function, at another place than the one that is new."""

    def told(self, item: PlacedFinding) -> PlacedFinding:
        new = self._new.get(_place(item))
        if new is not None:
            heavier = WEIGHTS[new.disposition] > WEIGHTS[item.disposition]
            return _as_written(item, new) if heavier else item
        if _kind(item) in self._elsewhere:
            return item
        if item.marked and item.fingerprint not in self._unmarked:
            return let_by_mark(replace(item, confidence=min(item.confidence, MOST)))
        return _rested(item) if _is_less(item) else item


def _place(item: PlacedFinding) -> tuple[str, int]:
    return item.rule, item.line


def _kind(item: PlacedFinding) -> tuple[str, str]:
    return item.rule, item.subclass


def _as_written(item: PlacedFinding, new: PlacedFinding) -> PlacedFinding:
    """In a file it may be one of many, told at another of them; of a change it is the one that came."""
    return replace(item, disposition=new.disposition, confidence=new.confidence, message=new.message, note=new.note)


def _rested(item: PlacedFinding) -> PlacedFinding:
    if item.rests_at == "LOG":
        return replace(item, disposition="LOG", confidence=min(item.confidence, MOST), note=item.at_rest)
    told = f"{item.message} In committed code it is only worth a look: {item.at_rest}."
    return replace(item, disposition="QUEUE", confidence=min(item.confidence, MOST), message=told)


def _written_in(root: str, asking: list[Target], terms: Terms, marked: AbstractSet[Target]) -> dict[Target, Since]:
    """Nothing where no git can tell what was committed: all of it lies there."""
    try:
        with closing(ScannedBase(root, head_of(root))) as committed:
            changed = {target: then for target in asking if (then := _changed_from(target, committed)) is not None}
        return _new_in(root, changed, terms, marked) if changed else {}
    except LeeboardError:
        return {}


def _changed_from(target: Target, committed: ScannedBase) -> str | None:
    """What was committed under this name, empty where nothing was; None where it is still the same, or git takes no
    such file.
    """
    files = ScannedFiles(target.root)
    then = committed.text(target.name)
    if then is None:
        return "" if files.ignored(target.name) is False else None
    return None if _lines(then) == _lines(files.text(target.name) or "") else then


def _lines(text: str) -> str:
    """However a checkout ends them."""
    return text.replace("\r\n", "\n")


def _new_in(root: str, changed: Mapping[Target, str], terms: Terms, marked: AbstractSet[Target]) -> dict[Target, Since]:
    """Git knows which of them were renamed, and what moved there from another file. Of one that it was told not to look
    at, the committed text is known all the same.
    """
    (change,) = find_change((root,), ChangeOptions(reviewed=True), {})
    known = {target.name: before for target, before in change.before.items()}
    before = {
        target: replace(known.get(target.name, Before(text=then)), reviewed=False) for target, then in changed.items()
    }
    of_these: ScannedChange = replace(change, root=root, targets=tuple(before), before=before)
    scanned = scan_change(of_these, terms, 1)
    return {
        target: Since(
            (*one.found, *one.decided),
            _unmarked_in(target, before[target].text, terms) if target in marked else frozenset(),
        )
        for target, one in zip(before, scanned, strict=True)
    }


def with_marked_since(
    change: ScannedChange, scanned: Sequence[FileScan], terms: Mapping[str, Terms]
) -> Iterator[FileScan]:
    """The scans of a change, with what was there before and the change has marked for another tool: that would let it
    stand from then on, and nobody has reviewed it.
    """
    for target, one in zip(change.targets, scanned, strict=True):
        known = {_place(item) for item in (*one.found, *one.decided)}
        marked = [item for item in _marked_since(target, change.before[target], terms) if _place(item) not in known]
        yield replace(one, found=tuple(sorted((*one.found, *marked), key=lambda item: item.line))) if marked else one


def _marked_since(target: Target, before: Before, terms: Mapping[str, Terms]) -> Iterator[PlacedFinding]:
    after = before.after if before.after is not None else ScannedFiles(target.root).text(target.name)
    if before.reviewed or after is None or not marked_lines(after) - marked_lines(before.text):
        return
    looks = (Before(text="", after=before.text, reviewed=True), Before(text="", after=after))
    then, now = (next(iter(scan((target,), terms, 1, {target: look}))) for look in looks)
    unmarked = {item.fingerprint for item in then.found if not item.marked}
    for item in now.found:
        if item.marked and item.fingerprint in unmarked:
            yield _rested(item) if _is_less(item) else item


def _unmarked_in(target: Target, text: str, terms: Terms) -> frozenset[str]:
    """What was found in a committed text without a comment for another tool."""
    (then,) = scan((target,), {target.root: terms}, 1, {target: Before(text="", after=text)})
    return frozenset(item.fingerprint for item in (*then.found, *then.decided) if not item.marked)
