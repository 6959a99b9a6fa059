"""What only moved: a finding that stood elsewhere before a change, or in the same file, and weighed as much there.

Whoever splits a module brings nothing in. But what was logged in a test and is refused where it stands now is new, and
so is what a person let stand at its old place alone: a decision is about a place, and does not follow a line by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from leeboard.app.scan.work import WEIGHTS
from leeboard.model.text import lazy
from leeboard.model.verdict import PlacedFinding, subclass_of
from leeboard.secrets.hit import is_document
from leeboard.settings.decisions.suppression import suppressions_in
from leeboard.text.language import is_generated, is_measurement, is_sample, is_test_path, is_trial

_PRODUCT = "product"
_VALUE = lazy(r":([0-9a-f]{16})$")
"""The digest of a value, as the last part of what a finding is known by."""
_SAME = 1e-9

_Key = tuple[str, str]


class Stood(msgspec.Struct, frozen=True):
    """A finding in a text, with what of it no other place takes over."""

    found: PlacedFinding
    is_let: bool
    """A comment beside it lets it stand, whether anybody has reviewed that or not."""

    @property
    def weight(self) -> tuple[int, float]:
        """What is known by its value is as sure under one name as under another."""
        by_value = is_by_value(self.found)
        return WEIGHTS[self.found.disposition], 0.0 if by_value else self.found.confidence

    def outweighs(self, other: Stood) -> bool:
        mine, its = self.weight, other.weight
        return mine[0] > its[0] or (mine[0] == its[0] and mine[1] + _SAME >= its[1])

    def stands_for(self, now: Stood) -> bool:
        """At a place where the product is no less than here, and by itself: a decision has to have come along."""
        kind = kind_of_place(self.found.name)
        return (
            kind in {_PRODUCT, kind_of_place(now.found.name)}
            and self.outweighs(now)
            and (now.is_let or not self.is_let)
            and (bool(now.found.marked) or not self.found.marked)
            and self.found.state in {"open", "suppressed"}
        )


def stood_in(found: Iterable[PlacedFinding], text: str) -> list[Stood]:
    """Of the whole text."""
    items = tuple(found)
    if not items:
        return []
    comments = [one for one in suppressions_in(text, items[0].name) if not one.problem]
    return [Stood(item, any(item.line in one.covers and item.rule in one.rules for one in comments)) for item in items]


def is_by_value(item: PlacedFinding) -> bool:
    return bool(item.subclass) and subclass_of(item.subclass).passes_by_value


def key_of(item: PlacedFinding) -> _Key:
    """What is known again elsewhere: of a secret its value, under whatever name."""
    if not is_by_value(item):
        return item.rule, item.what
    digest = _VALUE.search(item.fingerprint)
    return item.rule, digest[1] if digest is not None else item.what.rpartition(" ")[2]


def kind_of_place(path: str) -> str:
    """What lies there is shown, tried out, brought along by a tool, or else the product."""
    kinds: dict[str, Callable[[str], bool]] = {
        "test": is_test_path,
        "document": is_document,
        "sample": is_sample,
        "trial": is_trial,
        "measurement": is_measurement,
        "made": is_generated,
    }
    return next((kind for kind, is_one in kinds.items() if is_one(path)), _PRODUCT)


class StoodFindings:
    """Findings of one text as it was: each stands for one of now."""

    def __init__(self, stood: Iterable[Stood]) -> None:
        self._left: dict[_Key, list[Stood]] = {}
        for one in stood:
            self._left.setdefault(key_of(one.found), []).append(one)

    def without(self, still: Iterable[Stood]) -> StoodFindings:
        """Of what is there still, one each: of those let stand one that is, where there is one."""
        for one in still:
            same = self._left.get(key_of(one.found), [])
            if same:
                same.remove(min(same, key=lambda other: (other.is_let != one.is_let, other.weight != one.weight)))
        return self

    def take(self, now: Stood) -> bool:
        """Whether one of them is this one, and none but this."""
        return self._take(now, self._left.get(key_of(now.found), []))

    def take_alike(self, now: Stood) -> bool:
        """Of one file, in which a name may have changed with it: the same line, or else one of the same rule."""
        same = [one for one in self._all() if one.found.rule == now.found.rule]
        lines = [one for one in same if one.found.text == now.found.text]
        return any(self._take(now, some) for some in (lines, same))

    def _take(self, now: Stood, some: list[Stood]) -> bool:
        found = [one for one in some if one.stands_for(now)]
        if not found:
            return False
        # Who has a comment takes one that had it, so that those without are left for others.
        taken = min(found, key=lambda one: (one.is_let != now.is_let, one.weight))
        self._left[key_of(taken.found)].remove(taken)
        return True

    def _all(self) -> Iterator[Stood]:
        for some in self._left.values():
            yield from some


def place_of(item: PlacedFinding) -> tuple[str, str, int]:
    return item.rule, item.subclass, item.line


def not_carried(now: Iterable[Stood], then: Iterable[Stood], told: Iterable[PlacedFinding]) -> Iterator[PlacedFinding]:
    """Of all in a file as it is, what no finding of it as it was stands for; what is `told` as new is left out."""
    known = set(map(place_of, told))
    left = StoodFindings(then)
    rest = [one for one in now if place_of(one.found) not in known and not left.take(one)]
    yield from (one.found for one in rest if not left.take_alike(one))
