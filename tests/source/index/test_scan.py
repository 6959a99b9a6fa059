from __future__ import annotations

import os
import subprocess
from array import array
from typing import TYPE_CHECKING

import msgspec
import pytest

from leeboard.source.index import scan as scanning
from leeboard.source.index.extract import FileNames
from leeboard.source.index.listing import list_files
from leeboard.source.index.scan import git_digest, harvest, key_of, scan

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def test_the_digest_is_git_s_own(tree: WorkTree) -> None:
    called = subprocess.run(
        ("git", "hash-object", "app/web.py"), cwd=tree.root, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert git_digest((tree.path / "app/web.py").read_bytes()) == called
    assert key_of("app/web.py", called) == f"{called}:python"


def test_a_harvest_has_names_and_words(tree: WorkTree) -> None:
    found = harvest(tree.root, list_files(tree.root))
    assert [item.path for item in found.files] == ["app/billing.py", "app/web.py"]
    names = msgspec.msgpack.decode(found.files[0].names, type=FileNames)
    assert [item.name for item in names.names] == ["sum_invoices"]
    assert list(array("I", found.words["<billing"])) == [1]


def test_a_file_that_changed_since_it_was_listed_is_called_by_its_content(tree: WorkTree) -> None:
    files = list_files(tree.root)
    tree.write("app/web.py", "other = 1\n")
    (_first, web) = harvest(tree.root, files).files
    assert web.key == key_of("app/web.py", git_digest(b"other = 1\n"))


def test_several_processes_find_the_same(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        tree.function(f"app/part{number}.py", f"part_{number}")
    files = list_files(tree.root)
    alone = {item.path: item for part in scan(tree.root, files) for item in part.files}
    monkeypatch.setattr(scanning, "WORTH_A_PROCESS", 2)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1, 2})
    spread = scan(tree.root, files)
    assert len(spread) == 3
    assert {item.path: item for part in spread for item in part.files} == alone


def test_the_work_of_a_process_that_failed_is_done_here(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    files = list_files(tree.root)
    monkeypatch.setattr(scanning, "_started", lambda _root, _files: failed())
    monkeypatch.setattr(scanning, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda _pid: {0, 1})
    assert sum(len(part.files) for part in scan(tree.root, files)) == 2


def failed() -> tuple[int, int]:
    child = os.fork()
    if child == 0:
        os._exit(1)
    return child, scanning._nameless()
