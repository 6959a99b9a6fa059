"""The state of the code in figures, as it is: `make house`. Nothing here is a limit; tests/test_layout.py has those.

`--no-ways` leaves out the files on the way, for which processes have to run.
"""

from __future__ import annotations

import ast
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from tools.imports import cycles, importers, module_name
from tools.ways import WAYS, files_on

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "leeboard"
ROOM = 25
"""Files that a folder holds as a rule."""
BY_KIND = {"rules", "data"}
"""Folders with a file for each thing of a kind: they are as long as the list of these things."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Row = tuple[str, str]


class SourceFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = module_name(path, ROOT)
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.text)))

    @property
    def bodies(self) -> Iterator[int]:
        """Lines of each function without its docstring."""
        for node in self.nodes:
            if isinstance(node, Function):
                body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
                yield (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0

    @property
    def unread(self) -> int:
        """Lines that are blank or import something."""
        imports = {
            line
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        return sum(not line.strip() or number in imports for number, line in enumerate(self.lines, 1))

    @property
    def public_classes(self) -> Iterator[str]:
        tree = ast.parse(self.text)
        yield from (node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")

    @property
    def docstrings(self) -> Iterator[str]:
        for node in self.nodes:
            if isinstance(node, ast.Module | ast.ClassDef | Function):
                yield ast.get_docstring(node, clean=False) or ""


def read(package: Path = PACKAGE) -> list[SourceFile]:
    return [SourceFile(path) for path in sorted(package.rglob("*.py"))]


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / max(whole, 1):.0f} %)"


def size_rows(files: list[SourceFile]) -> Iterator[Row]:
    bodies = [lines for file in files for lines in file.bodies]
    lengths = [len(file.lines) for file in files]
    data = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}]
    yield "files", str(len(files))
    yield "functions", str(len(bodies))
    yield "lines of Python", str(sum(lengths))
    yield "lines of data", str(sum(path.read_bytes().count(b"\n") for path in data))
    yield "lines of a file, median", f"{statistics.median(lengths or [0]):.0f}"
    yield "files over 300 lines", str(sum(length > 300 for length in lengths))
    yield "files over 500 lines", str(sum(length > 500 for length in lengths))
    yield "bodies of at most 2 lines", share(sum(body <= 2 for body in bodies), len(bodies))
    yield "bodies over 30 lines", str(sum(body > 30 for body in bodies))
    yield "bodies over 60 lines", str(sum(body > 60 for body in bodies))
    yield "blank and import lines", share(sum(file.unread for file in files), sum(lengths))
    yield "docstrings that begin with Of", str(sum(bool(re.match(r"\s*Of\b", d)) for f in files for d in f.docstrings))


def shape_rows(files: list[SourceFile]) -> Iterator[Row]:
    imports = importers({file.name: file.text for file in files})
    alone = sum(len(by) == 1 for by in imports.values())
    folders = Counter(file.path.parent.relative_to(ROOT).as_posix() for file in files)
    by_kind = {folder for folder in folders if BY_KIND.intersection(folder.split("/"))}
    full = [f"{folder} {n}" for folder, n in folders.most_common() if n > ROOM and folder not in by_kind]
    classes = Counter(name for file in files for name in file.public_classes)
    again = sorted(name for name, times in classes.items() if times > 1)
    round_and_round = sorted(cycles(imports))
    yield "modules with one importer", share(alone, len(files))
    yield "modules in import cycles", told(round_and_round)
    yield f"folders of more than {ROOM} files", told(full)
    yield "folders with a file for each of a kind", told([f"{folder} {folders[folder]}" for folder in sorted(by_kind)])
    yield "names of several public classes", told(again)


def told(names: list[str]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "0"


def way_rows() -> Iterator[Row]:
    for way in WAYS:
        with tempfile.TemporaryDirectory(prefix="lb") as folder:
            yield f"files on the way: {way}", str(len(files_on(way, Path(folder))))


def main() -> None:
    files = read()
    ways = () if "--no-ways" in sys.argv[1:] else way_rows()
    for rows in (size_rows(files), shape_rows(files), ways):
        for name, value in rows:
            print(f"{name:<40} {value}", flush=True)


if __name__ == "__main__":
    main()
