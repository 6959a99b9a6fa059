"""Pages that come with the program."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from leeboard.app.views.manual import topic_page, topics
from leeboard.errors import ConfigError


def test_general_pages_come_first_and_have_their_titles() -> None:
    listed = topics()
    folders = ["/" in topic.name for topic in listed]
    assert folders == sorted(folders)
    assert {"settings": "Settings"}.items() <= {topic.name: topic.title for topic in listed}.items()


def test_the_folder_may_be_left_out() -> None:
    assert topic_page("weak_crypto").name == "rules/weak_crypto"
    assert topic_page(" check.md ").name == "commands/check"
    assert topic_page("trust").name == "trust", "the page comes before the command of the same name"


@pytest.mark.parametrize("asked", ["", "../pyproject", "/etc/passwd", "rules/", "\0", "x" * 10_000])
def test_nothing_else_is_read(asked: str) -> None:
    with pytest.raises(ConfigError, match="there is no topic"):
        topic_page(asked)


def test_pages_that_were_packed_are_the_same_and_damaged_ones_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed, beside = tmp_path / "docs.json.z", topic_page("rules/credential")
    pages = {"rules/credential.md": beside.page, "plain.md": "no title"}
    packed.write_bytes(zlib.compress(json.dumps(pages).encode()))
    monkeypatch.setattr("leeboard.app.views.manual._PACKED", packed)
    assert topic_page("credential") == beside
    assert [topic.title for topic in topics()] == ["plain", beside.title]
    packed.write_bytes(packed.read_bytes()[:40])
    with pytest.raises(ConfigError, match=r"docs\.json\.z.*install Leeboard again"):
        topics()
