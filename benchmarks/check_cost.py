"""What a check of a work tree costs, against the git commands that nobody can do without, side by side in the same run.

20,000 files of which 500 changed: most of them edited, some new. A second tree has twice as many unchanged files.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Ratio, in_turns, milliseconds
from leeboard.app.check import check_tree
from leeboard.app.work_contract import WorkContract
from leeboard.io.git.work_tree import collect
from leeboard.model.contract import Contract, Held

ROUNDS = 9
EDITED, NEW = 400, 100
SIZES = (20_000, 40_000)
FOLDERS, INNER_FOLDERS = 200, 7
FLOOR = (
    ("git", "diff", "HEAD", "--raw", "-p", "-U0", "-z"),
    ("git", "ls-files", "-o", "--exclude-standard", "-z"),
)


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        os.environ["LEEBOARD_STATE_DIR"] = f"{folder}/state"
        few, many = (list(_compared(_tree(Path(folder, str(size)), size), size)) for size in SIZES)
    yield from few
    yield from many
    yield Ratio(name="check, twice the unchanged files / once", ratio=many[1].ratio / few[1].ratio, aim=1.15)


def _compared(root: Path, size: int) -> Iterator[Ratio]:
    """Collecting the changes alone, and the whole check with every rule over them."""
    contract = Contract(touch=("package1*/**",), max_files=10, max_loc=100, source="started")
    work_contract = WorkContract(root=str(root), held=Held(root=str(root), contract=contract))
    ways = {
        "git": lambda: _floor(root),
        "collecting changes": lambda: _use(collect(str(root))),
        "check": lambda: _use(check_tree(work_contract, {})),
    }
    taken = in_turns(ways, ROUNDS)
    for name in ("collecting changes", "check"):
        detail = f"{milliseconds(taken[name])} / {milliseconds(taken['git'])}, {EDITED + NEW} changed"
        yield Ratio(name=f"{name} / bare git, {size} files", ratio=taken[name] / taken["git"], aim=1.3, detail=detail)


def _use(_found: object) -> None:
    """What was measured is wanted by nobody."""


def _floor(root: Path) -> None:
    """Both at once, and what they print is read."""
    environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0"}
    running = [subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE) for command in FLOOR]
    for process in running:
        process.communicate()


def _tree(root: Path, size: int) -> Path:
    for number in range(size):
        _write(_place(root, number), f"function_{number}")
    _git(root, "init", "-q")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "all")
    for number in range(EDITED):
        place = _place(root, number)
        text = place.read_text(encoding="utf-8")
        changed = text.replace("value + 3", "value - 3").replace("value + 7", "value * 7\n    # and more")
        place.write_text(changed, encoding="utf-8")
    for number in range(NEW):
        _write(root / f"package{number}" / f"new{number}.py", f"added_{number}")
    return root


def _place(root: Path, number: int) -> Path:
    return root / f"package{number % FOLDERS}" / f"part{number % INNER_FOLDERS}" / f"module{number}.py"


def _write(place: Path, name: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    functions = (f"def {name}_{number}(value):\n    return value + {number}\n\n\n" for number in range(10))
    place.write_text("".join(functions), encoding="utf-8")


def _git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")
    quick = ("-c", "core.fsync=none", "-c", "core.looseCompression=0")
    subprocess.run(("git", *identity, *quick, *arguments), cwd=root, check=True, stdout=subprocess.DEVNULL)
