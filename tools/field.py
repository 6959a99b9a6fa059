"""How the judge does on real sessions: `make field DIR=<folder>`, where the folder or its `sessions` holds `*.jsonl`.

Ordinary sessions tell how often anybody is spoken to, and by which rule. Then edits of one session are set into another
of the same repository, so that it is known by construction what does not belong: in a folder that the host never saw,
or in one it works in; with the Read that the client demands before an Edit, and without; through Edit, through the
shell (a here-document, `sed -i`, `rm`), and by a sub-agent. Shares come with the interval of 95 of 100 such samples.
`WAYS=heredoc,sed` asks for a part of the table, `SAMPLE=40` for so many splices of each kind instead of 200; they are
drawn by lot, the same ones each time. What was found is kept by number in the cache folder, for this very code and
these sessions: a run that was broken off goes on where it was. No word of a session is written anywhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from leeboard.app.replay import replay_bytes
from tools.session_facts import MODIFYING, blocks, decode
from tools.splice import CLASSES, Class, Pair, Recorded, draw, splice
from tools.splice_figures import noticed, speaks

SAMPLES = 1000
COUNT = 6
_MOST_LINES = 60
_IN_TIME = 3
Change = Callable[[dict[str, Any]], None]
Played = TypeVar("Played")
Case = tuple[Class, int, int]
"""Kind, variant, pair."""


class Variant(msgspec.Struct, frozen=True):
    """One way in which strangers come into a session."""

    key: str
    name: str
    with_reads: bool
    change: Change | None = None


def _in_shell(record: dict[str, Any], line: Callable[[str, dict[str, Any]], str]) -> None:
    """The same change by a shell line; its result says nothing, as a shell's does."""
    for block in blocks(record):
        given = block.get("input")
        if block.get("type") == "tool_use" and block.get("name") in MODIFYING and isinstance(given, dict):
            path = str(given.get("file_path") or given.get("notebook_path"))
            block |= {"name": "Bash", "input": {"command": line(shlex.quote(path), given)}}
        elif block.get("type") == "tool_result":
            block["content"] = ""
            record["toolUseResult"] = {"stdout": "", "stderr": "", "interrupted": False}


def _written(path: str, given: dict[str, Any]) -> str:
    text = str(given.get("new_string") or given.get("content") or given.get("new_source") or "")
    lines = "\n".join(text.splitlines()[:_MOST_LINES])
    return f"cat >> {path} <<'EOF'\n{lines}\nEOF"


def _replaced(path: str, given: dict[str, Any]) -> str:
    """One line for another: what somebody does who knows the file, or thinks so."""
    old, new = (str(given.get(key) or "").splitlines() for key in ("old_string", "new_string"))
    gone = next((line for line in old if line.strip() and line not in new), "")
    come = next((line for line in new if line.strip() and line not in old), "")
    if not gone and not come:
        return _written(path, given)
    return f"sed -i {shlex.quote(f's|{gone.strip()}|{come.strip()}|')} {path}"


def through_shell(record: dict[str, Any]) -> None:
    _in_shell(record, _written)


def through_sed(record: dict[str, Any]) -> None:
    _in_shell(record, _replaced)


def by_removal(record: dict[str, Any]) -> None:
    _in_shell(record, lambda path, _given: f"rm {path}")


def by_sub_agent(record: dict[str, Any]) -> None:
    record |= {"isSidechain": True, "agentId": "spliced"}


VARIANTS = (
    Variant("edit", "Edit, with the donor's reads", with_reads=True),
    Variant("unread", "Edit, without reads", with_reads=False),
    Variant("heredoc", "shell: here-document", with_reads=False, change=through_shell),
    Variant("sed", "shell: sed -i", with_reads=False, change=through_sed),
    Variant("sed-read", "shell: sed -i, with reads", with_reads=True, change=through_sed),
    Variant("rm", "shell: rm", with_reads=False, change=by_removal),
    Variant("sub-agent", "sub-agent, with its reads", with_reads=True, change=by_sub_agent),
)


def load(folder: str) -> list[Recorded]:
    place = Path(folder) / "sessions" if (Path(folder) / "sessions").is_dir() else Path(folder)
    return [
        Recorded(f"field/{path.stem}", tuple(path.read_bytes().splitlines(keepends=True)))
        for path in sorted(place.glob("*.jsonl"))
    ]


def spliced(pair: Pair, variant: Variant) -> tuple[list[bytes], list[str]]:
    """The host with its strangers, and the ids of their calls."""
    lines, ids = splice(
        pair.host.lines, pair.donor.lines, pair.at, COUNT, with_reads=variant.with_reads, only=pair.files
    )
    if variant.change is None:
        return lines, ids
    records = decode(lines)
    for record in records:
        if str(record.get("uuid", "")).startswith("toolu_spliced_"):
            variant.change(record)
    return [msgspec.json.encode(record) + b"\n" for record in records], ids


class _Bench:
    """What the processes share: they are forked, so that nothing is sent but numbers."""

    def __init__(self, corpus: list[Recorded], sample: int) -> None:
        self.corpus = corpus
        self.pairs = {kind: list(draw(corpus, kind, sample)) for kind in CLASSES}

    def alarms(self, number: int) -> list[str]:
        """The rules that speak in an ordinary session."""
        verdicts = replay_bytes(b"".join(self.corpus[number].lines))
        return sorted({rule for one in verdicts if speaks(one) for rule in one.get("rules") or ("?",)})

    def heard(self, case: Case) -> bool | None:
        """None where a recording lacks what a splice needs."""
        kind, variant, number = case
        try:
            lines, ids = spliced(self.pairs[kind][number], VARIANTS[variant])
        except (KeyError, IndexError):
            return None
        return noticed(replay_bytes(b"".join(_in_time(lines, ids))), lines, ids) if ids else None


def _in_time(lines: list[bytes], ids: list[str]) -> list[bytes]:
    """Up to the fourth stranger: what comes later is too late to count."""
    late = f'"{ids[_IN_TIME]}'.encode() if len(ids) > _IN_TIME else b""
    return lines[: next((at for at, line in enumerate(lines) if late and late in line), len(lines))]


def interval(hits: Sequence[bool]) -> tuple[float, float]:
    """By drawing samples of the same size, the same ones each time."""
    if not hits:
        return 0.0, 0.0
    dice = random.Random(7)  # noqa: S311 - no secret is made of it
    shares = sorted(sum(dice.choices(hits, k=len(hits))) / len(hits) for _ in range(SAMPLES))
    return shares[int(0.025 * SAMPLES)], shares[int(0.975 * SAMPLES) - 1]


def share(hits: Sequence[bool]) -> str:
    if not hits:
        return "none"
    low, high = interval(hits)
    return f"{sum(hits)}/{len(hits)} {100 * sum(hits) / len(hits):.1f} % ({100 * low:.0f} to {100 * high:.0f})"


SILENCE = "silence"
_HERE = Path(__file__).resolve().parents[1]


class Kept:
    """What was found by the code and the sessions as they are, a line for each case: nothing is played twice."""

    def __init__(self, place: Path, corpus: list[Recorded]) -> None:
        digest = hashlib.sha256()
        sources = [path for folder in ("leeboard", "tools") for path in sorted((_HERE / folder).rglob("*"))]
        for path in sources:
            if path.suffix in {".py", ".json"}:
                digest.update(path.read_bytes())
        for one in corpus:
            digest.update(b"".join(one.lines))
        self._file = place / f"field-{digest.hexdigest()[:16]}.jsonl"
        lines = self._file.read_text(encoding="utf-8").split("\n")[:-1] if self._file.is_file() else []
        self._known: dict[str, Any] = dict(json.loads(line) for line in lines)

    def played(self, keys: Sequence[str], play: Callable[[list[int]], Iterable[Any]]) -> Iterator[Any]:
        """For each key what was found; `play` finds it for those, by their place, that nobody has played yet."""
        new = iter(play([at for at, key in enumerate(keys) if key not in self._known]))
        for key in keys:
            if key not in self._known:
                self._known[key] = next(new)
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._known[key]]) + "\n")
            yield self._known[key]


def report(corpus: list[Recorded], jobs: int, ways: Collection[str], kept: Kept, sample: int) -> Iterator[str]:
    bench = _Bench(corpus, sample)
    _SHARED.append(bench)
    with ProcessPoolExecutor(jobs) as pool:
        if SILENCE in ways:
            found = kept.played([f"{SILENCE}:{at}" for at in range(len(corpus))], partial(pool.map, _alarms))
            spoken = list(_counted(found, len(corpus), SILENCE))
            yield f"{'ordinary sessions spoken to':62} {share([bool(rules) for rules in spoken])}"
            for rule, times in Counter(rule for rules in spoken for rule in rules).most_common():
                yield f"  {'by ' + rule:60} {times} sessions"
        for number, variant in enumerate(VARIANTS):
            for kind in CLASSES if variant.key in ways else ():
                cases: list[Case] = [(kind, number, one) for one in range(len(bench.pairs[kind]))]
                keys = [f"{variant.key}:{kind}:{one}" for one in range(len(cases))]
                found = kept.played(keys, partial(_heard_of, pool, cases))
                hits = [one for one in _counted(found, len(cases), f"{variant.key}, {kind}") if one is not None]
                yield f"{f'noticed: {variant.name}, {kind}':62} {share(hits)}"


def _heard_of(pool: ProcessPoolExecutor, cases: list[Case], chosen: list[int]) -> Iterator[bool | None]:
    return pool.map(_heard, [cases[at] for at in chosen])


def _counted(played: Iterable[Played], whole: int, what: str) -> Iterator[Played]:
    """Tells a person who waits how far it is."""
    for number, one in enumerate(played, start=1):
        if sys.stderr.isatty():
            print(f"\r{what}: {number} of {whole}\x1b[K", end="" if number < whole else "\r\x1b[K", file=sys.stderr)
        yield one


_SHARED: list[_Bench] = []


def _alarms(number: int) -> list[str]:
    return _SHARED[-1].alarms(number)


def _heard(case: Case) -> bool | None:
    return _SHARED[-1].heard(case)


def main(arguments: Sequence[str]) -> int:
    every = [SILENCE, *(variant.key for variant in VARIANTS)]
    parser = argparse.ArgumentParser(prog="make field DIR=<folder>", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-w", "--ways", default="", help=f"a part of the table, with commas: {', '.join(every)}")
    parser.add_argument("-s", "--sample", type=int, default=200, help="splices of each kind; 200, unless given")
    parser.add_argument("-k", "--keep", default="~/.cache/leeboard-bench", help="folder for what was found")
    given = parser.parse_args(arguments)
    ways = [one for one in given.ways.split(",") if one] or every
    if unknown := sorted(set(ways) - set(every)):
        print(f"{', '.join(unknown)}: no such way; there are {', '.join(every)}", file=sys.stderr)
        return 2
    corpus = load(given.folder)
    if not corpus:
        print(f"{given.folder}: no *.jsonl there nor in its sessions folder", file=sys.stderr)
        return 2
    print(f"{len(corpus)} sessions of {given.folder}; a stranger counts as noticed within three of its edits")
    kept = Kept(Path(given.keep).expanduser(), corpus)
    for line in report(corpus, given.jobs, ways, kept, given.sample):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
