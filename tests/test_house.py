"""`make house` finds its way whatever the folders are called."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.house import shape_rows, size_rows
from tools.imports import cycles, importers
from tools.ways import WAYS, files_on

ROOT = Path(__file__).resolve().parent.parent


def test_it_prints_every_row() -> None:
    done = subprocess.run((sys.executable, "-m", "tools.house", "--no-ways"), cwd=ROOT, capture_output=True, check=True)
    rows = [line[:40].rstrip() for line in done.stdout.decode().splitlines()]
    assert rows == [name for name, _ in (*size_rows([]), *shape_rows([]))]


@pytest.mark.parametrize("way", ["a silent Edit", "scan of one file"])
def test_a_way_leads_through_the_package(way: str, tmp_path: Path) -> None:
    files = files_on(way, tmp_path)
    assert len(files) == len(set(files)) > 5
    assert all(path.startswith("leeboard/") and (ROOT / path).exists() for path in files)


def test_the_ways_are_these() -> None:
    assert list(WAYS) == ["a silent Edit", "check", "haiku_run_next", "scan of one file", "replay of one session"]


def test_an_import_of_a_name_is_one_of_its_module_and_a_lazy_one_counts() -> None:
    sources = {
        "p": "",
        "p.a": "from p.b import thing\nimport p.c",
        "p.b": "def f():\n    from p import c",
        "p.c": "import os",
    }
    assert importers(sources) == {"p": set(), "p.a": set(), "p.b": {"p.a"}, "p.c": {"p.a", "p.b"}}


def test_a_cycle_is_named_without_what_only_leads_to_it() -> None:
    imports = {"a": {"b"}, "b": {"a", "in"}, "in": set(), "out": {"a"}, "c": {"d"}, "d": {"c"}, "between": {"a"}}
    assert cycles({**imports, "c": {"d", "between"}}) == {"a", "b", "c", "d"}
