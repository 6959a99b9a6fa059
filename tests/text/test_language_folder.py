from __future__ import annotations

import pytest

from leeboard.text.language import folders_with, lies_in


def test_a_folder_may_have_several_roles() -> None:
    assert {"node_modules", ".git"} <= folders_with("made")
    assert "node_modules" in folders_with("foreign")
    assert ".git" not in folders_with("foreign")


@pytest.mark.parametrize("path", ["node_modules/a.js", "web/node_modules/left-pad/index.js", "vendor/x.go"])
def test_a_file_below_such_a_folder_lies_in_it(path: str) -> None:
    assert lies_in(path, "foreign")


@pytest.mark.parametrize("path", ["node_modules", "src/vendors/a.py", "my_node_modules/a.js", "xvenv/a.py"])
def test_a_name_that_only_resembles_one_does_not_count(path: str) -> None:
    assert not lies_in(path, "foreign")


def test_case_counts_unless_it_is_told_not_to() -> None:
    assert not lies_in("Build/a.js", "artifact")
    assert lies_in("Build/a.js", "artifact", any_case=True)


def test_a_role_may_name_a_path_of_folders() -> None:
    assert lies_in("/home/me/go/pkg/mod/x/y.go", "reference")
