from __future__ import annotations

import pytest

from leeboard.analysis.occasion import asks_for_all


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("tidy up the code base", True),
        ("please refactor the whole project", True),
        ("clean up the code", True),
        ("fix all type errors in the project", True),
        ("remove dead code across the project", True),
        ("modernise the code throughout", True),
        ("upgrade the codebase to python 3.12", True),
        ("get rid of unused files", True),
        ("clean up the invoice code", False),
        ("remove unused imports in src/auth", False),
        ("fix all type errors in src/auth", False),
        ("update the project page", False),
        ("fix the auth bug", False),
    ],
)
def test_what_asks_for_the_whole_repository(text: str, whole: bool) -> None:  # noqa: FBT001 - a column of the table
    assert asks_for_all(text) is whole
