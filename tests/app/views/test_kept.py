"""What people are shown of the copies of their work."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.safety_net.note import WorkNote, write_note
from leeboard.app.views.kept import kept_page, kept_text
from tests.netted_repository import NettedRepository, use_state


def test_copies_what_has_none_and_what_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_state(tmp_path, monkeypatch)
    net = NettedRepository(tmp_path / "work")
    net.make()
    assert kept_text(kept_page(net.root)) == ""
    (net.path / "large.bin").write_bytes(bytes(6 << 20))
    net.begin()
    net.does("sh tools/nuke.sh && make wipe")
    page = kept_page(net.root)
    assert {one.kind for one in page.kept} == {"copy", "uncopied", "branch", "stash"}
    assert page.gone == 5
    assert "5 gone: `leeboard restore --gone`" in kept_text(page)
    assert "1 without a copy" in kept_text(page)


def test_a_tree_that_is_left_alone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_state(tmp_path, monkeypatch)
    write_note(WorkNote(root="/r", time=1.0, trouble="git takes too long to look at this work tree"))
    assert "takes too long" in kept_text(kept_page("/r"))
