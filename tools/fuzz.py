"""Broken hook payloads and transcript lines through the whole pipeline, with the error boundary taken away.

The boundary of the hooks swallows everything, so a test behind it would prove nothing: here whatever is raised comes
out. `python -m tools.fuzz FOLDER --count 100000` runs as many as you like.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from leeboard.app.handle import RunSetting, handle
from leeboard.app.replay import play
from leeboard.clients.claude_code.hooks import parse, render
from leeboard.errors import WireError
from leeboard.model.policy import Policy
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from tools.mutate import mutated_stream, mutations

_LINES_PER_FILE = 12
_SESSION_LIFE = 400
"""Payloads after which a fuzzed session starts anew, so that its ledger does not grow for ever."""


def payloads(folder: Path) -> list[bytes]:
    """Every recorded hook payload and every line of every recorded session below a folder."""
    found = [path.read_bytes() for path in sorted(folder.glob("hooks/*.json"))]
    for path in sorted(folder.glob("hook_runs/*.jsonl")):
        found += path.read_bytes().splitlines()
    return found


def sessions(folder: Path) -> list[list[bytes]]:
    return [path.read_bytes().splitlines() for path in sorted(folder.glob("transcripts/*.jsonl"))]


def fuzz_hooks(recorded: Sequence[bytes], count: int, seed: int) -> int:
    """Answer `count` broken payloads; returns how many were understood well enough to be judged."""
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(profile="enforce"), rules=discover())
    store, judged = MemoryStore(), 0
    for number, payload in enumerate(_variants(recorded, count, Random(seed))):  # noqa: S311 - chance, not secrecy
        if number % _SESSION_LIFE == 0:
            store = MemoryStore()
        try:
            call = parse(payload, float(number))
        except WireError:
            continue
        verdict = handle(call.events, call.moment, store, setting)
        if verdict is not None:
            render(verdict, call)
            judged += 1
    return judged


def fuzz_sessions(recorded: Sequence[Sequence[bytes]], count: int, seed: int) -> int:
    """Play broken session files until `count` lines went through; returns how many files that took."""
    chance, lines, files = Random(seed), 0, 0  # noqa: S311 - chance, not secrecy
    while lines < count:
        own = chance.choice(recorded)
        start = chance.randrange(max(1, len(own) - _LINES_PER_FILE))
        play(mutated_stream(own[start : start + _LINES_PER_FILE], chance))
        lines += _LINES_PER_FILE
        files += 1
    return files


def _variants(recorded: Sequence[bytes], count: int, chance: Random) -> Iterator[bytes]:
    made = 0
    while True:
        for variant in mutations(chance.choice(recorded), chance):
            if made >= count:
                return
            made += 1
            yield variant


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with hooks/, hook_runs/ and transcripts/ below it")
    parser.add_argument("--count", type=int, default=10_000, help="broken payloads, and as many broken lines")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    judged = fuzz_hooks(payloads(options.folder), options.count, options.seed)
    files = fuzz_sessions(sessions(options.folder), options.count, options.seed)
    sys.stdout.write(
        f"{options.count} payloads ({judged} judged) and {options.count} lines in {files} files: no error\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
