"""What it costs to know the digests of many files: against `git status`, and against hashing them all.

The files are documents of 1 to 12 KB in the artifacts of one stage of an intent, in a repository in which everything
is committed. The gate is all that a tick does about them: the scan, the baseline, its seal, the markers. What was
written a moment ago is never taken for known, so it is measured by itself.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import look_at
from leeboard.plan.disk.truth.gather import gather
from leeboard.plan.disk.truth.surface import WATCHES
from leeboard.truth.digests.cache import cache_place
from leeboard.truth.digests.identity import WINDOW
from leeboard.truth.digests.scan import scan
from leeboard.truth.digests.tree import Scan, Tops

SIZES = (10_000, 100_000)
TOGETHER = 100
"""Files of a folder."""
ROUNDS, COLD_ROUNDS = 9, 3
MOST_COLD = 90_000
"""Files that are hashed in all, where that makes more rounds."""
DOCUMENTS = 60
"""Different ones: the baseline keeps the text of each."""
SURFACE = ".haiku/intents/bench/stages/build/artifacts"
BASELINE = ".haiku/intents/bench/stages/build/baseline.json"
HASHED = "find . -type f -print0 | xargs -0 -P2 sha256sum"
STUDIO = {
    "STUDIO.md": "---\nname: Small\nslug: small\nstages: [build]\n---\nIt is small.\n",
    "stages/build/STAGE.md": "---\nname: build\nhats: [builder]\nreview: ask\n---\nBuild it.\n",
    "stages/build/hats/builder.md": "Build it.\n",
}


def measure() -> Iterator[Ratio]:
    for size in SIZES:
        with tempfile.TemporaryDirectory(prefix="lb") as folder:
            os.environ["LEEBOARD_STATE_DIR"] = str(Path(folder, "state"))
            root = _project(Path(folder, "project"), size)
            yield from _cold(root, size)
            yield from _warm(root, size)


def _cold(root: Path, size: int) -> Iterator[Ratio]:
    """Nothing is known of the files; they are in the memory of the system for both."""
    number = count()
    files = list((root / SURFACE).rglob("*.md"))

    def hashed() -> None:
        found = scan(_tops(root), cache_place(f"cold {next(number)}"))
        assert found.hashed == size

    def bare() -> None:
        subprocess.run(HASHED, shell=True, cwd=root / SURFACE, stdout=subprocess.DEVNULL, check=True)

    def touch() -> None:
        for path in files:
            os.utime(path)

    rounds = max(COLD_ROUNDS, MOST_COLD // size)
    _rest()
    taken = in_turns({"ours": hashed, "bare": bare}, rounds)
    yield _ratio(f"truth: cold scan, {size} files / xargs -P2 sha256sum", taken, "ours", "bare", 0.5)
    taken = in_turns({"touch": touch, "ours": hashed, "bare": bare}, rounds)
    yield _ratio(f"truth: the same, {size} files just written", taken, "ours", "bare", 0.6)


def _warm(root: Path, size: int) -> Iterator[Ratio]:
    Engine(str(root)).tick("bench")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "ticked", "--allow-empty")
    folder, plan = PlanFolder(str(root)), look_at(PlanFolder(str(root)), "bench").plan
    _rest()

    def status() -> None:
        subprocess.run(("git", "status"), cwd=root, stdout=subprocess.DEVNULL, check=True)

    def gate() -> None:
        truth = gather(folder, plan)
        assert truth is not None
        assert (truth.divergences, truth.surface) == ((), size)

    taken = in_turns({"git": status, "scan": lambda: _scanned(root), "gate": gate}, ROUNDS)
    yield _ratio(f"truth: a warm scan, {size} files / git status", taken, "scan", "git", 1.1)
    yield _ratio(f"truth: a warm gate, {size} files / git status", taken, "gate", "git", 1.1)
    WATCHES.begin()
    taken = in_turns({"git": status, "gate": gate}, ROUNDS)
    yield _ratio(f"truth: a watched gate, {size} files / git status", taken, "gate", "git", 0.05)
    (root / BASELINE).touch()
    taken |= in_turns({"gate": gate}, ROUNDS)
    WATCHES.end()
    yield _ratio("truth: the same, its baseline just written", taken, "gate", "git", 0.05)


def _rest() -> None:
    """Until nothing was written a moment ago: times count in whole seconds here."""
    time.sleep(WINDOW / 1e9 + 1)


def _scanned(root: Path) -> Scan:
    return scan(_tops(root), cache_place(str(root)))


def _tops(root: Path) -> Tops:
    return Tops(names=(SURFACE,), below=str(root))


def _ratio(name: str, taken: dict[str, float], one: str, other: str, aim: float) -> Ratio:
    detail = f"{milliseconds(taken[one])} / {milliseconds(taken[other])}"
    return Ratio(name=name, ratio=taken[one] / taken[other], aim=aim, detail=detail)


def _project(root: Path, size: int) -> Path:
    for name, text in STUDIO.items():
        page = root / ".haiku/studios/small" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    _git(root, "init", "-q")
    for key, value in (("user.name", "kim"), ("user.email", "kim@example.invalid"), ("gc.auto", "0")):
        _git(root, "config", key, value)
    Engine(str(root)).create("Bench the gate", "Measure.", "bench", "small")
    texts = [_document(number) for number in range(DOCUMENTS)]
    for number in range(size):
        folder = root / SURFACE / f"part{number // TOGETHER // 10}" / f"chapter{number // TOGETHER % 10}"
        if number % TOGETHER == 0:
            folder.mkdir(parents=True)
        (folder / f"document{number}.md").write_bytes(texts[number % DOCUMENTS])
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "all")
    return root


def _document(number: int) -> bytes:
    line = f"- What document {number} says about the matter, in one line of its own.\n"
    return (line * 200)[: 1024 * (1 + number % 12)].encode()


def _git(root: Path, *arguments: str) -> None:
    quick = ("-c", "core.fsync=none", "-c", "core.looseCompression=0")
    subprocess.run(("git", *quick, *arguments), cwd=root, check=True, stdout=subprocess.DEVNULL)
