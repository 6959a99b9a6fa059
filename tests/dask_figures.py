"""A thousand sessions by processes of this machine, by two Dask workers, and with one of those killed in mid-run:
`python -m tests.dask_figures [sessions] [folder of recorded sessions]`. Each prints the same bytes, or it fails.

The sessions are those of `tests/sessions` and of the folder, repeated under other ids.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.dask_cluster import ROOT, DaskCluster, dask_cluster
from tools.scripted import transcript

COMMAND = (sys.executable, "-m", "leeboard", "backtest", "--no-settings", "--json")
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


def backtest(folder: Path, cache: Path, *more: str, dask: DaskCluster | None = None) -> bytes:
    """What it printed. With a cluster, one worker of it is killed when a tenth of the sessions is done."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(ROOT), "LEEBOARD_CACHE_DIR": str(cache)}
    began = monotonic()
    with (
        (folder / "said").open("wb") as out,
        subprocess.Popen((*COMMAND, *more), cwd=folder, env=env, stdout=out, stderr=subprocess.PIPE, text=True) as ran,
    ):
        assert ran.stderr is not None
        for line in ran.stderr:
            tell(f"    {line.strip()}")
            if dask is not None and len(dask.workers) > 1 and re.match(r"leeboard: (\d+) of", line):
                dask.kill_worker(next(iter(dask.workers)))
    assert ran.returncode == 0, "it failed"
    said = (folder / "said").read_bytes()
    tell(f"  {len(said)} bytes in {monotonic() - began:.0f} s")
    return said


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    given = tuple(Path(word).resolve() for word in sys.argv[2:])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sessions = folder / "sessions"
        repeated(sessions, count, given)
        tell(f"{count} sessions by processes of this machine")
        here = backtest(folder, folder / "here", str(sessions))
        with dask_cluster(folder / "dask") as dask:
            tell("by two Dask workers")
            there = backtest(folder, folder / "there", str(sessions), "--on", dask.address)
            tell("by two Dask workers, one of them killed")
            killed = backtest(folder, folder / "killed", str(sessions), "--on", dask.address, dask=dask)
            assert len(dask.workers) == 1, "no worker was killed"
        tell("by a cluster of this machine")
        local = backtest(folder, folder / "local", str(sessions), "--on", "local", "-j", "2")
    same = here == there == killed == local
    tell("the same, byte for byte" if same else "NOT the same")
    sys.exit(not same)


if __name__ == "__main__":
    main()
