"""How the judge does on real sessions: `make field DIR=<folder>`, where the folder or its `sessions` holds `*.jsonl`.

Ordinary sessions tell how often anybody is spoken to, and by which rule. Then edits of one session are set into another
of the same repository, so that it is known by construction what does not belong: in a folder that the host never saw,
or in one it works in; with the Read that the client demands before an Edit, and without; through Edit, through the
shell, and by a sub-agent. Shares come with the interval of 95 of 100 such samples. Nothing is written anywhere.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from leeboard.app.replay import replay_bytes
from tools.session_facts import MODIFYING, blocks, decode, facts
from tools.splice import CLASSES, Class, Pair, Recorded, pairs, splice
from tools.splice_figures import noticed, speaks

SAMPLES = 1000
COUNT = 6
_MOST_LINES = 60
Change = Callable[[dict[str, Any]], None]


class Variant(msgspec.Struct, frozen=True):
    """One way in which strangers come into a session."""

    name: str
    with_reads: bool
    change: Change | None = None


def through_shell(record: dict[str, Any]) -> None:
    """The same text written by a heredoc; its result says nothing, as a shell's does."""
    for block in blocks(record):
        given = block.get("input")
        if block.get("type") == "tool_use" and block.get("name") in MODIFYING and isinstance(given, dict):
            text = str(given.get("new_string") or given.get("content") or given.get("new_source") or "")
            path = given.get("file_path") or given.get("notebook_path")
            lines = "\n".join(text.splitlines()[:_MOST_LINES])
            block |= {"name": "Bash", "input": {"command": f"cat >> {path} <<'EOF'\n{lines}\nEOF"}}
        elif block.get("type") == "tool_result":
            block["content"] = ""
            record["toolUseResult"] = {"stdout": "", "stderr": "", "interrupted": False}


def by_sub_agent(record: dict[str, Any]) -> None:
    record |= {"isSidechain": True, "agentId": "spliced"}


VARIANTS = (
    Variant("Edit, with the donor's reads", with_reads=True),
    Variant("Edit, without reads", with_reads=False),
    Variant("shell", with_reads=False, change=through_shell),
    Variant("sub-agent, with its reads", with_reads=True, change=by_sub_agent),
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

    def __init__(self, corpus: list[Recorded]) -> None:
        self.corpus = corpus
        middle = [one for one in pairs(corpus) if one.at == _middle(one)]
        self.pairs = {kind: [one for one in middle if one.kind == kind] for kind in CLASSES}

    def alarms(self, number: int) -> set[str]:
        """The rules that speak in an ordinary session."""
        verdicts = replay_bytes(b"".join(self.corpus[number].lines))
        return {rule for one in verdicts if speaks(one) for rule in one.get("rules") or ("?",)}

    def heard(self, case: tuple[Class, int, int]) -> bool | None:
        """None where a recording lacks what a splice needs."""
        kind, variant, number = case
        try:
            lines, ids = spliced(self.pairs[kind][number], VARIANTS[variant])
        except (KeyError, IndexError):
            return None
        return noticed(replay_bytes(b"".join(lines)), lines, ids) if ids else None


def _middle(pair: Pair) -> int:
    return (len(facts(pair.host.lines).edits) + 1) // 2


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


def report(corpus: list[Recorded], jobs: int) -> Iterator[str]:
    bench = _Bench(corpus)
    _SHARED.append(bench)
    with ProcessPoolExecutor(jobs) as pool:
        spoken = list(pool.map(_alarms, range(len(corpus)), chunksize=4))
        yield f"{'ordinary sessions spoken to':62} {share([bool(rules) for rules in spoken])}"
        for rule, times in Counter(rule for rules in spoken for rule in rules).most_common():
            yield f"  {'by ' + rule:60} {times} sessions"
        for number, variant in enumerate(VARIANTS):
            for kind in CLASSES:
                cases = [(kind, number, one) for one in range(len(bench.pairs[kind]))]
                heard = [one for one in pool.map(_heard, cases, chunksize=4) if one is not None]
                yield f"{f'noticed: {variant.name}, {kind}':62} {share(heard)}"


_SHARED: list[_Bench] = []


def _alarms(number: int) -> set[str]:
    return _SHARED[-1].alarms(number)


def _heard(case: tuple[Class, int, int]) -> bool | None:
    return _SHARED[-1].heard(case)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make field DIR=<folder>", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    corpus = load(given.folder)
    if not corpus:
        print(f"{given.folder}: no *.jsonl there nor in its sessions folder", file=sys.stderr)
        return 2
    print(f"{len(corpus)} sessions of {given.folder}; a stranger counts as noticed within three of its edits")
    for line in report(corpus, given.jobs):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
