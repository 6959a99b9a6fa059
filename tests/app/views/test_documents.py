"""The documents of an intent: found by looking, and a picture only where the bytes say so."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.app.views.documents import (
    LONGEST_TEXT,
    documents_of,
    picture_of,
    picture_type,
    read_document,
    text_before,
)
from leeboard.plan.disk.folder import PlanFolder
from tests.flow_desk import SLUG, FlowDesk
from tests.web_showcase import PNG


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    flow = FlowDesk(tmp_path, monkeypatch)
    flow.begin()
    flow.until("elaborate")
    top = flow.root / ".haiku/intents" / SLUG
    for name, data in {
        "a.md": b"# A\n",
        "b.txt": b"x" * (LONGEST_TEXT + 7),
        "c.png": PNG,
        "d.png": b"no\0picture",
    }.items():
        (top / "knowledge").mkdir(exist_ok=True)
        (top / "knowledge" / name).write_bytes(data)
    (top / "knowledge/link.md").symlink_to("/etc/passwd")
    return flow.root


def test_each_is_shown_as_what_it_is(home: Path) -> None:
    found = {each.path: each for each in documents_of(Engine(str(home)).home, SLUG, ("",)).shown}
    assert [found[f"knowledge/{name}"].kind for name in ("a.md", "b.txt", "c.png", "d.png")] == [
        "markdown",
        "text",
        "image",
        "other",
    ]
    assert found["knowledge/a.md"].text == "# A\n"
    assert "7 bytes more" in found["knowledge/b.txt"].left_out
    assert "root:" not in found["knowledge/link.md"].text


def test_a_picture_is_given_by_its_digest_alone(home: Path) -> None:
    assert picture_of(str(home), SLUG, "", sha256(PNG).hexdigest()) == PNG
    assert picture_of(str(home), SLUG, "", sha256(b"no\0picture").hexdigest()) is None
    assert picture_of(str(home), SLUG, "../..", "0" * 64) is None
    assert [picture_type(data) for data in (PNG, b"\xff\xd8\xff", b"<svg", b"RIFF....AVI ")] == [
        "image/png",
        "image/jpeg",
        "",
        "",
    ]


def test_no_link_is_followed_and_nothing_too_large_is_read(home: Path) -> None:
    folder = PlanFolder(str(home))
    assert read_document(folder, SLUG, "knowledge/link.md", 1 << 20) is None
    assert read_document(folder, SLUG, "knowledge/b.txt", 10) is None
    assert read_document(folder, SLUG, "knowledge/nothing", 10) is None
    assert text_before(str(home), SLUG, "", "0" * 64) is None
