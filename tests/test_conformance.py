"""docs/conformance.md stays true: every statement once, every test it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED_PENDING = 0
"""Lower it with each row that gets its test; it never rises."""

NOT_BUILT = "not yet built"
FAMILIES = {"AD": 108, "SW": 167, "SP": 49, "FD": 57, "SH": 63}


class Row(msgspec.Struct, frozen=True):
    id: str
    statement: str
    shown_by: str


def rows() -> list[Row]:
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    return [Row(*cells) for cells in re.findall(r"^\| ([A-Z]{2}-\d+) \| (.+) \| ([^|]+) \|$", page, re.MULTILINE)]


@cache
def functions_in(path: Path) -> frozenset[str]:
    """Functions of a test file, those of a class as Class::function, with those of a suite it inherits from."""
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes = [("", tree.body)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            scopes += [(f"{node.name}::", body) for body in (node.body, *inherited(tree, node))]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(f"{prefix}{node.name}" for prefix, body in scopes for node in body if isinstance(node, functions))


def inherited(tree: ast.Module, node: ast.ClassDef) -> list[list[ast.stmt]]:
    """Bodies of the suites in `tests/` that a test class takes its tests from."""
    imports = {
        name.name: ROOT / f"{one.module.replace('.', '/')}.py"
        for one in tree.body
        if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("tests.") and one.module
        for name in one.names
    }
    bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in imports]
    modules = [(base, ast.parse(imports[base].read_text(encoding="utf-8"))) for base in bases]
    return [
        one.body
        for base, module in modules
        for one in module.body
        if getattr(one, "name", "") == base and isinstance(one, ast.ClassDef)
    ]


def named_tests(row: Row) -> list[str]:
    return row.shown_by.split(", ") if row.shown_by.startswith("tests/") else []


def exists(named: str) -> bool:
    path, _, name = named.partition("::")
    return name.partition("[")[0] in functions_in(ROOT / path)


def test_every_statement_stands_once() -> None:
    """A lost or doubled row would hide a promise."""
    expected = {f"{family}-{number:02}" for family, last in FAMILIES.items() for number in range(1, last + 1)}
    ids = [row.id for row in rows()]
    assert set(ids) == expected
    assert sorted(ids) == sorted(expected)


@pytest.mark.parametrize(("note", "many"), [("013-carrying-bytes.md", 27), ("014-the-page.md", 25)])
def test_what_a_note_promises_names_its_tests(note: str, many: int) -> None:
    """What may go wrong with streams, and what is on the page."""
    page = (ROOT / "design" / note).read_text(encoding="utf-8")
    found = re.findall(r"^\| .+ \| (tests/[^|]+) \|$", page, re.MULTILINE)
    assert len(found) == many
    assert [named for cell in found for named in cell.split(", ") if not exists(named)] == []


def test_every_named_test_exists() -> None:
    missing = [f"{row.id}: {named}" for row in rows() for named in named_tests(row) if not exists(named)]
    assert not missing, "\n".join(missing)


def test_every_row_says_how_it_is_shown() -> None:
    for row in rows():
        known = {"pending"} if row.id.startswith("AD-") else {NOT_BUILT}
        assert named_tests(row) or row.shown_by in known, f"{row.id}: {row.shown_by}"


def test_pending_rows_only_become_fewer() -> None:
    pending = [row.id for row in rows() if row.shown_by == "pending"]
    assert len(pending) <= ALLOWED_PENDING, f"rows without a test: {', '.join(pending)}"
