from __future__ import annotations

import pytest

from leeboard.source.weakening import writes_expectations


@pytest.mark.parametrize(
    ("line", "writes"),
    [
        ("npx jest -u", True),
        ("npm test -- --updateSnapshot", True),
        ("pytest --snapshot-update tests", True),
        ("UPDATE_SNAPSHOTS=1 pytest", True),
        ("npx playwright test --update-snapshots", True),
        ("cargo insta accept", True),
        ("go test ./... -update", True),
        ("vitest run -u", True),
        ("pytest -q", False),
        ("sort -u names.txt", False),
        ("git push -u origin main", False),
        ("grep -- --snapshot-update Makefile", False),
        ("python -u -m pytest", False),
    ],
)
def test_lines_that_write_what_is_expected(line: str, writes: bool) -> None:  # noqa: FBT001 - a column of the table
    assert writes_expectations(line, "/repo") is writes
