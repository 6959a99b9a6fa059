"""Lines of entries."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.drift import entry_lines
from leeboard.contracts.manifest.package import Package
from leeboard.model.touch import FileChange, Hunk


@pytest.mark.parametrize(
    ("entry", "line", "found"),
    [
        (Package("npm", "lodash"), '  "lodash": "^4",', True),
        (Package("npm", "lodash"), '  "lodash-es": "^4",', False),
        (Package("pypi", "flask-login"), "Flask_Login==1", True),
        (Package("pypi", "idna"), "idna-3.7", True),
        (Package("maven", "a.b:core-x"), "<artifactId>core-x</artifactId>", True),
        (Package("docker", "redis"), "image: docker.io/library/redis:7", True),
        (Package("npm", "a(b"), "a(b", True),
    ],
)
def test_name(entry: Package, line: str, *, found: bool) -> None:
    change = FileChange(path="x", kind="modified", hunks=(Hunk(7, ("other", line)),))
    assert entry_lines(change, "", (entry,)) == ({entry: 8} if found else {})


def test_without_hunks_the_text_is_looked_at() -> None:
    entry = Package("npm", "a")
    assert entry_lines(FileChange(path="x", kind="added"), "\n\na\n", (entry,)) == {entry: 3}
