from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.work import Terms
from leeboard.model.contract import Allowance
from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("h = hashlib.md5(password)\n", ""),
        ("password = 'changeme'\n", "placeholder"),
        ("etag = hashlib.md5(content)\n", "checksum"),
    ],
)
def test_why_it_is_only_logged(tmp_path: Path, text: str, note: str) -> None:
    (one,) = scanned(tmp_path, {"a.py": f"import hashlib\n{text}"})
    assert [note in found.note and bool(found.note) == bool(note) for found in one.found] == [True]


def test_what_a_person_allowed_is_left_out_and_counted(tmp_path: Path) -> None:
    terms = Terms((), (Allowance(id="a", rule="weak_crypto", path="old/**"), Allowance(id="b", path="login.py")))
    (one,) = scanned(tmp_path, {"login.py": "h = hashlib.md5(password)\n"}, terms)
    assert (one.found, [item.state for item in one.decided]) == ((), ["allowed"])
