from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.contracts.disk.task_folder import task_folder
from leeboard.errors import ConfigError
from tests.git_repository import GitRepository


def put(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "graph.jsonl").write_text("")
    return folder


def where(root: Path, **env: str) -> str | None:
    return task_folder(str(root), env)[0] or None


def test_both_names_and_from_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "p" / ".git").mkdir(parents=True)
    folder = put(tmp_path / "p" / ".workgraph")
    (tmp_path / "p" / "src").mkdir()
    assert where(tmp_path / "p") == str(folder)
    assert where(tmp_path / "p" / "src") == str(folder)
    put(tmp_path / "q" / ".wg")
    assert where(tmp_path / "q") == str(tmp_path / "q" / ".wg")


def test_the_project_is_where_the_search_ends(tmp_path: Path) -> None:
    put(tmp_path / ".wg")
    (tmp_path / "p" / ".git").mkdir(parents=True)
    assert where(tmp_path / "p") is None


def test_two_in_one_project_are_one_too_many(tmp_path: Path) -> None:
    put(tmp_path / ".wg")
    put(tmp_path / ".workgraph")
    with pytest.raises(ConfigError, match="two workgraphs"):
        where(tmp_path)


def test_wg_dir_goes_first_and_may_name_the_project(tmp_path: Path) -> None:
    put(tmp_path / "p" / ".wg")
    folder = put(tmp_path / "q" / ".workgraph")
    assert where(tmp_path / "p", WG_DIR=str(folder)) == str(folder)
    assert where(tmp_path / "p", WG_DIR=str(tmp_path / "q")) == str(folder)
    with pytest.raises(ConfigError, match="WG_DIR"):
        where(tmp_path / "p", WG_DIR=str(tmp_path / "none"))


def test_a_linked_work_tree_has_the_tasks_of_its_first(tmp_path: Path) -> None:
    first = GitRepository(tmp_path / "first")
    first.write("a", "x")
    first.commit()
    folder = put(tmp_path / "first" / ".workgraph")
    first.run("worktree", "add", "-q", str(tmp_path / "second"))
    assert where(tmp_path / "second") == str(folder)


def test_a_link_that_leads_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere")
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".wg").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match="leads out of"):
        task_folder(str(tmp_path / "clone"), {})
