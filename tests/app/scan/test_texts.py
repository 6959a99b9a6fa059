"""What git takes for binary is read where it is a text: as it lies there, as it is staged, and as it was committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.texts import ScannedBase, ScannedFiles, ScannedIndex
from tests.git_repository import GitRepository

TEXTS = {"wide.js": "exec(x)\n".encode("utf-16"), "nul.js": b"// a\0\nexec(x)\n", "plain.js": b"exec(x)\n"}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_git_takes_for_binary(tmp_path: Path, name: str) -> None:
    repo = GitRepository(tmp_path)
    repo.write(name, TEXTS[name])
    base = ScannedBase(repo.root, repo.commit())
    found = [files.text(name) for files in (ScannedFiles(repo.root), ScannedIndex(repo.root), base)]
    base.close()
    assert len(set(found)) == 1
    assert "exec(x)\n" in (found[0] or "")


def test_what_is_no_text_or_a_link_is_none(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path)
    repo.write("a.bin", b"\0\1\2" * 9)
    (repo.path / "link.js").symlink_to("a.bin")
    base = ScannedBase(repo.root, repo.commit())
    for files in (ScannedFiles(repo.root), ScannedIndex(repo.root), base):
        assert [files.text(name) for name in ("a.bin", "none", "../a.bin")] == [None, None, None]
    assert ScannedFiles(repo.root).text("link.js") is None
    base.close()
