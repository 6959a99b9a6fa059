from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.scan.scanned_files import scanned


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


_LINE = "h = hashlib.md5(password)"
_REASON = "the old server knows no other"


@pytest.mark.parametrize(
    ("text", "found", "decided", "remark"),
    [
        (f"# leeboard: allow weak_crypto {_REASON}\n{_LINE}\n", 0, 1, ""),
        (f"{_LINE}\n\n# leeboard: allow weak_crypto {_REASON}\nx = 1\n", 1, 0, "(here: line 1)"),
    ],
)
def test_a_comment_stands_at_its_finding(tmp_path: Path, text: str, found: int, decided: int, remark: str) -> None:
    (one,) = scanned(tmp_path, {"login.py": text})
    assert (len(one.found), len(one.decided)) == (found, decided)
    assert [remark in told for told in one.remarks] == [True] * bool(remark)
