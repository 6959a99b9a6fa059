"""What of the findings in a change is new: not what stood there before it, and not what only moved."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.scan.change import ScannedChange
from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.moved import Stood, StoodFindings, is_by_value, not_carried, place_of, stood_in
from leeboard.app.scan.target import Target
from leeboard.app.scan.texts import ScannedFiles
from leeboard.app.scan.work import Before, FileScan, Terms
from leeboard.model.verdict import PlacedFinding
from leeboard.settings.decisions.suppression import MARK_WORD


def scan_change(change: ScannedChange, terms: Terms, jobs: int) -> tuple[FileScan, ...]:
    """Only what is new: what stood in a file that lost it has moved, and what weighs more by now has not."""
    scanned = tuple(scan(change.targets, {change.root: terms}, jobs, change.before))
    earlier = _Earlier(change, terms)
    unlike = _unlike(change, terms, jobs, scanned, earlier)
    pairs = zip(change.targets, scanned, strict=True)
    whole = [_undecided(target, one, change.before[target], earlier) for target, one in pairs]
    merged = (_with(one, unlike.get(target, ())) for target, one in zip(change.targets, whole, strict=True))
    return tuple(
        replace(one, found=tuple(item for item in one.found if not earlier.has_moved(item, target)))
        for target, one in zip(change.targets, merged, strict=True)
    )


def _with(one: FileScan, more: tuple[PlacedFinding, ...]) -> FileScan:
    return replace(one, found=tuple(sorted((*one.found, *more), key=lambda it: (it.line, it.rule)))) if more else one


def _undecided(target: Target, one: FileScan, before: Before, earlier: _Earlier) -> FileScan:
    """A comment of before lets stand what it did then, and not what the line under it has become."""
    let = [item for item in one.decided if item.state == "suppressed"]
    if before.reviewed or not let:
        return one
    then = earlier.stood_before(target)
    left = StoodFindings(stood for stood in then if stood.is_let)
    mine = [Stood(item, is_let=True) for item in let]
    rest = [now for now in mine if not left.take(now)]
    new = {place_of(now.found) for now in rest if not left.take_alike(now)}
    if not new:
        return one
    opened = tuple(replace(item, state="open", reason="") for item in let if place_of(item) in new)
    kept = tuple(item for item in one.decided if item.state != "suppressed" or place_of(item) not in new)
    return replace(_with(one, opened), decided=kept)


def _unlike(
    change: ScannedChange, terms: Terms, jobs: int, scanned: tuple[FileScan, ...], earlier: _Earlier
) -> dict[Target, tuple[PlacedFinding, ...]]:
    """What stood in a file under another name, or beside a comment, was no more than that: where it weighs more now, or
    has no comment any more, it is new though its lines are the same.
    """
    told = dict(zip(change.targets, scanned, strict=True))
    asked = tuple(target for target in change.targets if _is_another(change.before[target], target))
    now = {target: change.before[target] for target in asked}
    as_new = {target: replace(before, text="") for target, before in now.items()}
    found: dict[Target, tuple[PlacedFinding, ...]] = {}
    for target, one in zip(asked, scan(asked, {change.root: terms}, jobs, as_new), strict=True):
        if one.found and not change.before[target].reviewed:
            mine = stood_in(one.found, _text_now(target, change.before[target]))
            known = (*told[target].found, *told[target].decided)
            found[target] = tuple(not_carried(mine, earlier.stood_before(target), known))
    return found


def _is_another(before: Before, target: Target) -> bool:
    return not before.problem and (before.name not in {"", target.name} or MARK_WORD in before.text)


def _text_now(target: Target, before: Before) -> str:
    return before.after if before.after is not None else ScannedFiles(target.root).text(target.name) or ""


class _Earlier:
    """What was found in files as they were, looked up where a change might have taken it elsewhere."""

    def __init__(self, change: ScannedChange, terms: Terms) -> None:
        self._change, self._terms = change, terms
        self._left: dict[str, StoodFindings] = {}
        self._now: dict[Target, list[Stood]] = {}

    def has_moved(self, item: PlacedFinding, target: Target) -> bool:
        """It is not found any more in a file that lost lines: each may stand elsewhere once."""
        by_value = is_by_value(item)
        now: Stood | None = None
        for path, lost in self._change.gone.items():
            if path == item.name or not (by_value or item.text in lost.lines):
                continue
            if now is None:
                (now,) = stood_in((item,), _text_now(target, self._change.before[target]))
            if self._left_in(path).take(now):
                return True
        return False

    def stood_before(self, target: Target) -> list[Stood]:
        before = self._change.before[target]
        return self._stood_in(before.name or target.name, before.text)

    def _left_in(self, path: str) -> StoodFindings:
        if path not in self._left:
            lost = self._change.gone[path]
            self._left[path] = StoodFindings(self._stood_in(path, lost.then)).without(self._stood_in(path, lost.now))
        return self._left[path]

    def _stood_in(self, path: str, text: str) -> list[Stood]:
        """All findings in a text, whatever was decided about them."""
        if not text:
            return []
        target = Target(path, self._change.root, path)
        (one,) = scan((target,), {self._change.root: self._terms}, 1, {target: Before(text="", after=text)})
        return stood_in((*one.found, *one.decided), text)
