"""Drift made to order: edits of one session set into another session of the same repository.

`splice` makes one such transcript, `pairs` says which ones are worth making, and
`python -m tools.splice tests/sessions` measures how many are noticed and how many sessions stay silent.
"""

from __future__ import annotations

import importlib
import posixpath
import random
import sys
import zlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal

import msgspec

from tools.session_facts import MODIFYING, Facts, Use, blocks, decode, facts, inside, uses

Class = Literal["foreign-folder", "same-folder"]
CLASSES: tuple[Class, ...] = ("foreign-folder", "same-folder")
_FEWEST, _EDITS, _DRAWS = 3, 4, 40
_EDITED: dict[str, tuple[tuple[bytes, ...], list[str]]] = {}


class Recorded(msgspec.Struct, frozen=True):
    """A session of the corpus: its name `repo/task` and its transcript, line by line."""

    name: str
    lines: tuple[bytes, ...]

    @property
    def repo(self) -> str:
        return self.name.split("/", 1)[0]


class Pair(msgspec.Struct, frozen=True):
    """One splice to make: `count` edits of the donor's `files` after the host's `at`-th edit."""

    host: Recorded
    donor: Recorded
    at: int
    count: int
    kind: Class
    files: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.host.name}@{self.at}+{self.donor.name.split('/', 1)[1]}"


def splice(
    host_lines: Sequence[bytes],
    donor_lines: Sequence[bytes],
    at: int,
    count: int,
    *,
    with_reads: bool,
    only: Collection[str] | None = None,
) -> tuple[list[bytes], list[str]]:
    """The host's transcript with up to `count` edits of the donor after its `at`-th edit, and their tool ids."""
    host = decode(host_lines)
    donor = decode(donor_lines)
    here = facts(host_lines)
    chosen = [use for use in _finished_edits(donor) if _is_new(inside(use.path, here.cwd), here)]
    chosen = [use for use in chosen if only is None or inside(use.path, here.cwd) in only][:count]
    position = _after(host, at)
    graft = _Graft(host[position - 1], here.cwd)
    for use in chosen:
        graft.add(donor, use, with_reads=with_reads)
    spliced = [*host[:position], *graft.records, *host[position:]]
    if graft.records:
        _hang(spliced[position + len(graft.records) :], host[position - 1]["uuid"], graft.records[-1]["uuid"])
    return [msgspec.json.encode(record) + b"\n" for record in spliced], graft.ids


def _finished_edits(records: list[dict[str, Any]]) -> list[Use]:
    failed = {block["tool_use_id"] for record in records for block in blocks(record) if block.get("is_error") is True}
    return [use for use in uses(records) if use.name in MODIFYING and not use.side and use.id not in failed]


def _is_new(path: str, here: Facts) -> bool:
    name = posixpath.basename(path).lower()
    return bool(path) and path not in here.files and not {name, name.rsplit(".", 1)[0]} & here.words


def _after(host: list[dict[str, Any]], at: int) -> int:
    """The index behind the message that holds the at-th edit, its results included."""
    edits = [use for use in uses(host) if use.name in MODIFYING and not use.side]
    message = edits[at - 1].message
    asked = {use.id for use in uses(host) if use.message == message}
    answers = [i for i, record in enumerate(host) for block in blocks(record) if block.get("tool_use_id") in asked]
    return max(answers) + 1


def _hang(rest: list[dict[str, Any]], old: str, new: str) -> None:
    for record in rest:
        if record.get("parentUuid") == old:
            record["parentUuid"] = new


class _Graft:
    """Donor calls re-identified as the host's own, one message each, chained behind the host's record."""

    def __init__(self, anchor: dict[str, Any], cwd: str) -> None:
        self.anchor = anchor
        self.cwd = cwd
        self.records: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self._read: set[str] = set()

    def add(self, donor: list[dict[str, Any]], use: Use, *, with_reads: bool) -> None:
        new_id = f"toolu_spliced_{len(self.ids) + 1}"
        answer = _answer(donor, use)
        if with_reads and use.path not in self._read:
            self._read.add(use.path)
            self._read_first(donor, use, f"{new_id}_read")
        self._put(donor[use.at], answer, use.id, new_id)
        self.ids.append(new_id)

    def _read_first(self, donor: list[dict[str, Any]], use: Use, new_id: str) -> None:
        reads = [one for one in uses(donor) if one.name == "Read" and one.path == use.path]
        if reads:
            self._put(donor[reads[0].at], _answer(donor, reads[0]), reads[0].id, new_id)

    def _put(self, call: dict[str, Any], answer: dict[str, Any], old_id: str, new_id: str) -> None:
        for record in (call, answer):
            own = msgspec.json.encode(record).replace(old_id.encode(), new_id.encode())
            own = own.replace(str(record["cwd"]).encode(), self.cwd.encode())
            self._adopt(msgspec.json.decode(own, type=dict[str, Any]), new_id)

    def _adopt(self, record: dict[str, Any], new_id: str) -> None:
        kind = record["type"]
        before = self.records[-1] if self.records else self.anchor
        record |= {"uuid": f"{new_id}_{kind}", "parentUuid": before["uuid"]}
        record |= {key: self.anchor[key] for key in ("sessionId", "cwd", "timestamp")}
        if kind == "assistant":
            record["message"]["id"] = f"msg_{new_id[6:]}"
            record |= {"requestId": f"req_{new_id[6:]}", "apiBlockIndex": 0}
        else:
            record |= {"promptId": self.anchor.get("promptId"), "sourceToolAssistantUUID": before["uuid"]}
        self.records.append(record)


def _answer(donor: list[dict[str, Any]], use: Use) -> dict[str, Any]:
    return next(record for record in donor for block in blocks(record) if block.get("tool_use_id") == use.id)


def pairs(corpus: Sequence[Recorded], donors: Sequence[Recorded] | None = None) -> Iterator[Pair]:
    """For each session of the corpus and each class, one splice after the first, the middle and the last edit."""
    for host in corpus:
        here = facts(host.lines)
        others = [one for one in donors or corpus if one.repo == host.repo and one.name != host.name]
        places = sorted({1, (len(here.edits) + 1) // 2, len(here.edits)}) if here.edits else []
        for turn, at in enumerate(places):
            for kind in CLASSES:
                yield from _first_fit(host, here, others[turn:] + others[:turn], at, kind)


def draw(corpus: Sequence[Recorded], kind: Class, amount: int) -> Iterator[Pair]:
    """So many splices by lot, the same ones each time: hosts that change files four times, donors they know nothing of.

    Strangers come after any edit but the first and the last; they may be several edits of one file, as real ones are.
    """
    dice = random.Random(kind)  # noqa: S311 - nothing to guess
    known = {one.name: facts(one.lines) for one in corpus}
    hosts = [one for one in corpus if len(known[one.name].edits) >= _EDITS]
    tried: set[tuple[str, str]] = set()
    made = 0
    for _ in range(amount * _DRAWS if len(hosts) > 1 else 0):
        host, donor = dice.sample(hosts, 2)
        at, here = dice.randrange(2, len(known[host.name].edits)), known[host.name]
        if made == amount or (host.name, donor.name) in tried:
            continue
        tried.add((host.name, donor.name))
        touched = {posixpath.dirname(path) for path in here.files}
        edited = [inside(path, here.cwd) for path in _edited(donor)]
        new = [path for path in edited if _is_new(path, here)]
        fitting = [path for path in new if (posixpath.dirname(path) in touched) == (kind == "same-folder")]
        if host.repo == donor.repo and len(fitting) >= _FEWEST:
            made += 1
            yield Pair(host, donor, at, len(fitting), kind, tuple(dict.fromkeys(fitting)))


def _edited(donor: Recorded) -> list[str]:
    """The files that a donor changed, edit by edit; read off its lines once, since every host asks."""
    if donor.name not in _EDITED or _EDITED[donor.name][0] is not donor.lines:
        _EDITED[donor.name] = (donor.lines, [use.path for use in _finished_edits(decode(donor.lines))])
    return _EDITED[donor.name][1]


def _first_fit(host: Recorded, here: Facts, others: Sequence[Recorded], at: int, kind: Class) -> Iterator[Pair]:
    for donor in others:
        edited = [inside(path, here.cwd) for path in _edited(donor)]
        fitting = [path for path in edited if _is_new(path, here) and _class_holds(path, here, at, kind)]
        if len(fitting) >= _FEWEST:
            count = _FEWEST + zlib.crc32(f"{host.name}{donor.name}{at}".encode()) % 3
            yield Pair(host, donor, at, count, kind, tuple(dict.fromkeys(fitting)))
            return


def _class_holds(path: str, here: Facts, at: int, kind: Class) -> bool:
    folder = posixpath.dirname(path)
    if kind == "same-folder":
        return folder in {posixpath.dirname(edited) for _, edited in here.edits[:at] if edited}
    named = posixpath.basename(folder).lower() in here.words
    return bool(folder) and not named and not any(one == folder or one.startswith(f"{folder}/") for one in here.folders)


def main(arguments: Sequence[str]) -> int:
    """Prints the figures of the replay; with --naive those of the naive rule alone."""
    figures = importlib.import_module("tools.splice_figures")
    folders = [one for one in arguments if one != "--naive"] or ["tests/sessions"]
    judge = figures.naive
    if "--naive" not in arguments:
        judge = importlib.import_module("leeboard.app.replay").replay_bytes
    sys.stdout.write(figures.report(folders[0], judge))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
