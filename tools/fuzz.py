"""Broken hook payloads of every client and transcript lines through the whole pipeline, without the error boundary.

The boundary of the hooks swallows everything, so a test behind it would prove nothing: here whatever is raised comes
out. An agent that was told nothing has to be left alone by it all: at the end of each session a harmless call passes.
`python -m tools.fuzz FOLDER --count 100000` runs as many as you like, `--client NAME` those of one client.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from leeboard.app.handle import RunSetting, handle
from leeboard.app.replay import play
from leeboard.clients import FIRST, client_named, client_names
from leeboard.clients.call import Client
from leeboard.errors import WireError
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.verdict import Action, Moment
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore
from tools.mutate import mutated_stream, mutations

_LINES_PER_FILE = 12
_SESSION_LIFE = 400
"""Payloads after which a fuzzed session starts anew, so that its ledger does not grow for ever."""


def payloads(folder: Path, client: str) -> list[bytes]:
    """Every recorded hook payload of a client below a folder."""
    found = [path.read_bytes() for path in sorted(folder.glob(f"clients/{client}.jsonl"))]
    lines = [line for text in found for line in text.splitlines()]
    if client != FIRST:
        return lines
    lines += [path.read_bytes() for path in sorted(folder.glob("hooks/*.json"))]
    for path in sorted(folder.glob("hook_runs/*.jsonl")):
        lines += path.read_bytes().splitlines()
    return lines


def sessions(folder: Path) -> list[list[bytes]]:
    return [path.read_bytes().splitlines() for path in sorted(folder.glob("transcripts/*.jsonl"))]


def fuzz_hooks(recorded: Sequence[bytes], count: int, seed: int, client: str = FIRST) -> int:
    """Answer `count` broken payloads; returns how many were understood well enough to be judged.

    AssertionError where a harmless call does not pass afterwards.
    """
    spoken = client_named(client)
    setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(profile="enforce"), rules=discover())
    store, judged = MemoryStore(), 0
    for number, payload in enumerate(_variants(recorded, count, Random(seed))):  # noqa: S311 - chance, not secrecy
        if number % _SESSION_LIFE == 0:
            _look_passes(store, setting, number)
            store = MemoryStore()
        judged += _answered(spoken, payload, store, setting, float(number))
    _look_passes(store, setting, count)
    return judged


def _answered(client: Client, payload: bytes, store: MemoryStore, setting: RunSetting, now: float) -> bool:
    client.folder_told(payload)
    try:
        call = client.parse(payload, now)
    except WireError:
        return False
    verdict = handle(call.events, call.moment, store, setting)
    if verdict is None:
        return False
    client.telling_person(client.render(verdict, call, for_person="told"), "more")
    return True


def _look_passes(store: MemoryStore, setting: RunSetting, number: int) -> None:
    """Nobody is locked out: not the sessions that were told nonsense, and not a new one."""
    moment = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))
    for session in ("fresh", *(known.id for known in store.sessions(None, 3))):
        call = ToolCall(id=f"look-{number}", tool="Read", action="read", paths=("/repo/README.md",))
        proposed = ToolProposed(session=session, key=f"call:{call.id}", cwd="/repo", time=float(number), call=call)
        verdict = handle((proposed,), moment, store, setting)
        if verdict is not None and verdict.action is Action.DENY:
            raise AssertionError(f"a look was refused after {number} broken payloads: {verdict.message}")


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
    parser.add_argument("--client", choices=client_names(), help="of one client alone, and no transcripts")
    options = parser.parse_args(arguments)
    for client in (options.client,) if options.client else client_names():
        judged = fuzz_hooks(payloads(options.folder, client), options.count, options.seed, client)
        sys.stdout.write(f"{client}: {options.count} payloads ({judged} judged), nothing raised, nobody locked out\n")
        sys.stdout.flush()
    if not options.client:
        files = fuzz_sessions(sessions(options.folder), options.count, options.seed)
        sys.stdout.write(f"transcripts: {options.count} lines in {files} files, nothing raised\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
