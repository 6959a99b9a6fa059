"""What the index of a work tree costs, by the processor time it uses: against a search for definitions by git, and
universal-ctags where it is installed, over the same tree in the same run; its fingerprints against parsing the files.

The tree is this machine's own standard library and installed packages: their sources, copied and committed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from ast_grep_py import SgRoot

from benchmarks.measure import Ratio, in_turns, milliseconds, processor_time
from leeboard.source.fingerprint import fingerprints, of_text
from leeboard.source.index import cache
from leeboard.source.index.refresh import refresh
from leeboard.source.index.symbols import open_symbols
from leeboard.source.syntax import parse

ROUNDS = 3
MANY = 200
ENDINGS = (".py", ".pyi", ".c", ".h", ".cc", ".cpp", ".js", ".ts", ".sh")
_numbers = count()
PROJECT = Path(__file__).resolve().parent.parent


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        tree = _tree(Path(folder, "tree"))
        os.environ["LEEBOARD_CACHE_DIR"] = str(Path(folder, "cache"))
        parts: dict[str, Callable[[], object]] = {
            "first": lambda: _first(tree, Path(folder, "first")),
            "search": lambda: _search(tree),
        }
        if shutil.which("ctags"):
            parts["ctags"] = lambda: _ctags(tree, Path(folder, "tags"))
        else:
            print("ctags is not installed: the first index is compared with a search by git alone")
        taken = in_turns(parts, ROUNDS, min, processor_time)
        yield from _of_first(taken)
        yield from _of_fingerprints(tree)
        refresh(str(tree), _names_only)
        taken |= in_turns(_afterwards(tree, Path(folder, "second")), ROUNDS, min, processor_time)
        yield from _ratios(taken)


def _of_first(taken: dict[str, float]) -> Iterator[Ratio]:
    first = taken["first"]
    peers = {"search": ("git grep of definitions", 5.0), "ctags": ("ctags -R", 1.0)}
    for part, (name, aim) in peers.items():
        if part in taken:
            detail = f"{milliseconds(first)} / {milliseconds(taken[part])}"
            yield Ratio(name=f"first index by name / {name}", ratio=first / taken[part], aim=aim, detail=detail)


def _of_fingerprints(tree: Path) -> Iterator[Ratio]:
    """Of every function in a part of the tree; texts are new to both, and what is remembered is dropped."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted((tree / "stdlib").glob("*.py"))]

    def fingerprint_all() -> None:
        of_text.cache_clear()
        for text in texts:
            if (parsed := parse(f"{text}\n# {next(_numbers)}", "python")) is not None:
                fingerprints(parsed)

    def parse_all() -> None:
        for text in texts:
            SgRoot(f"{text}\n# {next(_numbers)}", "python").root().kind()

    taken = in_turns({"made": fingerprint_all, "parsed": parse_all}, ROUNDS, min, processor_time)
    detail = f"{milliseconds(taken['made'])} / {milliseconds(taken['parsed'])} for {len(texts)} files"
    ratio = taken["made"] / taken["parsed"]
    yield Ratio(name="fingerprints of all functions / parsing the files", ratio=ratio, aim=3.0, detail=detail)


def _ratios(taken: dict[str, float]) -> Iterator[Ratio]:
    first = taken["first"]
    aims = {"one written file": 0.1, "another work tree": 0.25}
    for name, aim in aims.items():
        detail = f"{milliseconds(taken[name])} / {milliseconds(first)}"
        yield Ratio(name=f"{name} / first index", ratio=taken[name] / first, aim=aim, detail=detail)
    opened, bare = taken["open"] / MANY, taken["bare"] / MANY
    detail = f"{milliseconds(opened)} / {milliseconds(bare)}"
    yield Ratio(name="opening the index / opening its file", ratio=opened / bare, aim=4.0, detail=detail)


def _afterwards(tree: Path, second: Path) -> dict[str, Callable[[], object]]:
    """What is done with an index that stands."""
    changed = tree / "stdlib" / "abc.py"
    text = changed.read_text(encoding="utf-8")
    numbers, places = count(), count()

    def one() -> None:
        changed.write_text(f"{text}\ndef added_{next(numbers)}(): ...\n", encoding="utf-8")
        refresh(str(tree), _names_only)

    def another() -> None:
        """The work tree itself is made by git, outside of what is measured, before the first round."""
        refresh(str(made[next(places)]), _names_only)

    made = [_worktree(tree, second.with_name(f"{second.name}{number}")) for number in range(ROUNDS + 1)]
    path = cache.index_file(str(tree))
    return {
        "one written file": one,
        "another work tree": another,
        "open": lambda: [open_symbols(str(tree)) for _ in range(MANY)],
        "bare": lambda: _open_bare(path),
    }


def _names_only() -> bool:
    """Names are what is measured: habits and functions come after them, for as long as that takes."""
    return False


def _open_bare(path: str) -> None:
    for _ in range(MANY):
        connection = cache.open_to_read(path)
        if connection is not None:
            connection.close()


def _first(tree: Path, place: Path) -> None:
    """As a worker makes it: in a process of its own, from nothing."""
    shutil.rmtree(place, ignore_errors=True)
    code = f"from leeboard.source.index.refresh import refresh; refresh({str(tree)!r}, lambda: False)"
    env = {**os.environ, "LEEBOARD_CACHE_DIR": str(place), "PYTHONPATH": str(PROJECT)}
    subprocess.run((sys.executable, "-c", code), env=env, check=True)


def _search(tree: Path) -> None:
    """What anybody can ask who has no index: the lines that define something."""
    kinds = r"^[ \t]*(async def|def|class|function|export|struct|enum|typedef) "
    subprocess.run(("git", "grep", "-InE", kinds), cwd=tree, check=True, stdout=subprocess.DEVNULL)


def _ctags(tree: Path, tags: Path) -> None:
    subprocess.run(("ctags", "-R", "-f", str(tags), "."), cwd=tree, check=True, stderr=subprocess.DEVNULL)


def _tree(place: Path) -> Path:
    paths = sysconfig.get_paths()
    for name, source in (("stdlib", paths["stdlib"]), ("installed", paths["purelib"])):
        _copy(Path(source), place / name)
    _git(place, "init", "-q")
    _git(place, "add", "-A", "-f")
    _git(place, "commit", "-qm", "sources")
    return place


def _copy(source: Path, place: Path) -> None:
    """Sources alone; no folder is called what packages are installed in, which would not be indexed."""
    for folder, below, names in os.walk(source):
        below[:] = [name for name in below if name not in {"__pycache__", ".git"}]
        target = place / str(Path(folder).relative_to(source)).replace("site-packages", "packages")
        target.mkdir(parents=True, exist_ok=True)
        for name in names:
            if name.endswith(ENDINGS):
                shutil.copyfile(Path(folder, name), target / name)


def _worktree(tree: Path, place: Path) -> Path:
    _git(tree, "worktree", "add", "-q", "--detach", str(place))
    return place


def _git(folder: Path, *arguments: str) -> None:
    ident = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    subprocess.run(("git", *ident, *arguments), cwd=folder, check=True, stdout=subprocess.DEVNULL)
