"""What is said in recorded sessions, held against what people thought of it: precision by rule.

    python tools/precision.py FOLDER [LABELS]

plays each recording in FOLDER (`*.jsonl`) and prints two tables: what is said now, and what became of the labels.
`docs/labels/README.md` has the format of the labels.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Literal

import msgspec

from leeboard.app.replay import replay_bytes

LABELS = Path(__file__).parent.parent / "docs" / "labels" / "field.jsonl"
_SPEAKS = ("INJECT", "ASK", "DENY")
_AT_ONCE = 2


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody thought of one message of one rule."""

    session: str
    turn: int
    tool_use_id: str
    rule: str
    label: Literal["right", "wrong", "debatable"]
    reason: str

    @property
    def place(self) -> Place:
        return Place(session=self.session, turn=self.turn, rule=self.rule)


class Place(msgspec.Struct, frozen=True, order=True):
    """A message is known again by where it was said and whose it is."""

    session: str
    turn: int
    rule: str

    @property
    def half(self) -> str:
        """Odd recordings were looked at, even ones only counted; one without a number counts as looked at."""
        digits = "".join(filter(str.isdigit, self.session))
        return "even" if digits and int(digits) % 2 == 0 else "odd"


class Row(msgspec.Struct, frozen=True):
    """One rule in one half of the recordings."""

    rule: str
    half: str
    messages: int
    sessions: int
    right: int
    wrong: int
    debatable: int

    @property
    def unlabelled(self) -> int:
        return self.messages - self.right - self.wrong - self.debatable

    @property
    def precision(self) -> str:
        """The share of right ones among those that were called right or wrong."""
        known = self.right + self.wrong
        return f"{self.right / known:.2f}" if known else "-"


def read_labels(path: Path) -> tuple[Label, ...]:
    return tuple(msgspec.json.decode(line, type=Label) for line in path.read_bytes().splitlines() if line.strip())


def said_in(path: Path) -> tuple[Place, ...]:
    """The messages of one recording, one for each rule that has a part in it."""
    told = (it for it in replay_bytes(path.read_bytes(), name=path.stem) if it["kind"] == "verdict")
    spoken = (it for it in told if it["message"] or it["action"] in _SPEAKS)
    return tuple(Place(session=path.stem, turn=it["turn"], rule=rule) for it in spoken for rule in it["rules"])


def rows(places: Iterable[Place], labels: Sequence[Label]) -> list[Row]:
    """Messages by rule and half, with what was thought of them."""
    thought = {label.place: label.label for label in labels}
    found = sorted(set(places))
    return [
        _row(rule, half, [place for place in found if (place.rule, place.half) == (rule, half)], thought)
        for rule, half in sorted({(place.rule, place.half) for place in found})
    ]


def _row(rule: str, half: str, places: list[Place], thought: Mapping[Place, str]) -> Row:
    given = [thought.get(place, "") for place in places]
    return Row(
        rule=rule,
        half=half,
        messages=len(places),
        sessions=len({place.session for place in places}),
        right=given.count("right"),
        wrong=given.count("wrong"),
        debatable=given.count("debatable"),
    )


def report(said: Sequence[Place], labels: Sequence[Label], recordings: int) -> Iterator[str]:
    """The lines that are printed."""
    sessions = len({place.session for place in said})
    yield f"{recordings} recordings, {sessions} spoken to: {100 * sessions / max(1, recordings):.1f} %"
    yield from _table("said now", rows(said, labels))
    yield from _table("labelled before", rows((label.place for label in labels), labels))
    known = {label.place for label in labels}
    yield from (
        f"without a label: {place.session} turn {place.turn} {place.rule}" for place in sorted(set(said) - known)
    )
    lost = [label for label in labels if label.label == "right" and label.place not in set(said)]
    yield from (f"right, and said no longer: {label.session} turn {label.turn} {label.rule}" for label in lost)


def _table(title: str, found: list[Row]) -> Iterator[str]:
    yield ""
    head = f"{'messages':>9}{'sessions':>9}{'right':>6}{'wrong':>6}{'debated':>8}{'open':>5}"
    yield f"{title:<24}{'half':<6}{head}  precision"
    for row in found:
        counts = f"{row.messages:>9}{row.sessions:>9}{row.right:>6}{row.wrong:>6}{row.debatable:>8}{row.unlabelled:>5}"
        yield f"{row.rule:<24}{row.half:<6}{counts}  {row.precision}"


def main(arguments: Sequence[str]) -> int:
    if len(arguments) not in {1, 2}:
        print(__doc__, file=sys.stderr)
        return 2
    folder, labels = Path(arguments[0]), read_labels(Path(arguments[1]) if len(arguments) > 1 else LABELS)
    recordings = sorted(folder.glob("*.jsonl"))
    with ProcessPoolExecutor(_AT_ONCE) as pool:
        said = [place for places in pool.map(said_in, recordings, chunksize=4) for place in places]
    print("\n".join(report(said, labels, len(recordings))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
