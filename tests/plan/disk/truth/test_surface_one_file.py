from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from leeboard.model.truth import ABSENT
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.surface import digest_of, text_of


@pytest.fixture
def folder(tmp_path: Path) -> PlanFolder:
    (tmp_path / ".haiku/deep").mkdir(parents=True)
    return PlanFolder(str(tmp_path))


def sha(data: bytes) -> str:
    return sha256(data).hexdigest()


def test_digests(folder: PlanFolder, tmp_path: Path) -> None:
    """A link is its own text; what is no file, or lies behind a link, is nobody's to read."""
    top = tmp_path / ".haiku"
    (top / "deep/a").write_bytes(b"a" * 3_000_000)
    (top / "deep/link").symlink_to("/etc/passwd")
    (top / "deep/dangling").symlink_to("nowhere")
    (top / "away").symlink_to("deep")
    os.mkfifo(top / "deep/pipe")
    assert digest_of(folder, "deep/a") == sha(b"a" * 3_000_000)
    assert digest_of(folder, "deep/link") == sha(b"/etc/passwd")
    assert digest_of(folder, "deep/dangling") == sha(b"nowhere")
    assert digest_of(folder, "deep/none") == ABSENT
    assert digest_of(folder, "deep/a/below") == ABSENT
    assert digest_of(folder, "deep") is None
    assert digest_of(folder, "deep/pipe") is None
    assert digest_of(folder, "../outside") is None
    assert digest_of(folder, "deep/a\0b") is None


@pytest.mark.parametrize("data", [b"text\n", b"\xff", b"a\0b", b"x" * 11])
def test_text_is_what_its_digest_says(folder: PlanFolder, tmp_path: Path, data: bytes) -> None:
    (tmp_path / ".haiku/a").write_bytes(data)
    assert text_of(folder, "a", sha(data), 10) == ("text\n" if data == b"text\n" else None)
    assert text_of(folder, "a", sha(b"another"), 10) is None


def test_no_text_of_a_link_or_a_folder(folder: PlanFolder, tmp_path: Path) -> None:
    (tmp_path / ".haiku/link").symlink_to("deep")
    assert text_of(folder, "link", sha(b"deep"), 10) is None
    assert text_of(folder, "deep", sha(b""), 10) is None
    assert text_of(folder, "none", sha(b""), 10) is None
