"""A thousand sessions by processes of this machine, by two Dask workers, and with one of those killed in mid-run:
`python -m tests.dask_figures [sessions] [folder of recorded sessions]`. Each prints the same bytes, or it fails.

The sessions are those of `tests/sessions` and of the folder, repeated under other ids: `backtest` and `replay` go through
them, and `scan` through the code of Leeboard itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic

from distributed import Client

from tests.dask_cluster import ROOT, DaskCluster, dask_cluster
from tools.scripted import transcript

COMMANDS = {
    "backtest": ("backtest", "--no-settings", "--json"),
    "replay": ("replay", "--no-settings", "--json", "--totals"),
    "scan": ("scan", "--json"),
}
_LARGEST = 300_000
"""Bytes of a recorded session that is repeated: more sessions say more than longer ones."""


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def repeated(into: Path, count: int, folders: tuple[Path, ...]) -> None:
    """So many sessions: the scripted ones played anew under each id, and the recorded ones with another id."""
    scripts = sorted((ROOT / "tests" / "sessions").rglob("*.txt"))
    files = sorted(file for folder in folders for file in folder.rglob("*.jsonl") if file.stat().st_size < _LARGEST)
    into.mkdir()
    for number in range(count):
        chosen = [*scripts, *files][number % (len(scripts) + len(files))]
        (into / f"session-{number:05}.jsonl").write_bytes(_session(chosen, number))


def _session(file: Path, number: int) -> bytes:
    if file.suffix == ".txt":
        return transcript(file.read_text(), session=f"{file.stem}-{number}", repo=file.parent.name)
    text = file.read_bytes()
    found = re.search(rb'"(?:sessionId|session_id)":\s?"([^"]+)"', text)
    return text.replace(found[1], b"%b-%d" % (found[1], number)) if found else text


def printed(folder: Path, cache: Path, words: tuple[str, ...], dask: DaskCluster | None = None) -> bytes:
    """With a cluster, one worker of it is killed while it is at work."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT), "LEEBOARD_CACHE_DIR": str(cache)}
    began, command = monotonic(), (sys.executable, "-m", "leeboard", *words)
    with (
        (folder / "said").open("wb") as out,
        subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=subprocess.PIPE, text=True) as ran,
    ):
        assert ran.stderr is not None
        if dask is not None:
            kill_one_at_work(dask, ran)
        for line in ran.stderr:
            tell(f"    {line.strip()}")
    assert ran.returncode in {0, 1}, "it failed"
    said = (folder / "said").read_bytes()
    tell(f"  {len(said)} bytes in {monotonic() - began:.0f} s")
    return b"%d\n%b" % (ran.returncode, said)


def kill_one_at_work(dask: DaskCluster, ran: subprocess.Popen[str]) -> None:
    """As soon as it has several pieces of work before it."""
    with Client(dask.address) as client:
        while ran.poll() is None:
            busy = [worker for worker, keys in client.processing().items() if len(keys) > 1]
            if busy:
                dask.kill_worker(busy[0])
                return
            with suppress(subprocess.TimeoutExpired):
                ran.wait(0.1)


def compared(folder: Path, name: str, words: tuple[str, ...], dask: DaskCluster) -> bool:
    """One command in each way. The cluster has two workers again when it ends."""
    tell(f"{name} by processes of this machine")
    here = printed(folder, folder / name / "here", words)
    tell(f"{name} by two Dask workers")
    there = printed(folder, folder / name / "there", (*words, "--on", dask.address))
    tell(f"{name} by two Dask workers, one of them killed")
    killed = printed(folder, folder / name / "killed", (*words, "--on", dask.address), dask)
    assert len(dask.workers) == 1, "no worker was killed"
    dask.add_worker()
    tell(f"{name} by a cluster of this machine")
    local = printed(folder, folder / name / "local", (*words, "--on", "local", "-j", "2"))
    same = here == there == killed == local
    tell(f"{name}: {'the same, byte for byte' if same else 'NOT the same'}")
    return same


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    given = tuple(Path(word).resolve() for word in sys.argv[2:])
    with tempfile.TemporaryDirectory() as name, dask_cluster(Path(name, "dask")) as dask:
        folder = Path(name)
        repeated(folder / "sessions", count, given)
        tell(f"{count} sessions")
        of = {"scan": str(ROOT / "leeboard")}
        same = [
            compared(folder, part, (*words, of.get(part, str(folder / "sessions"))), dask)
            for part, words in COMMANDS.items()
        ]
    sys.exit(not all(same))


if __name__ == "__main__":
    main()
