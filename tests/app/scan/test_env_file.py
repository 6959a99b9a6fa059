from __future__ import annotations

import pytest

from leeboard.app.scan.env_file import IGNORED, env_findings
from tests.leak import live_key


class Tree:
    """A work tree of which only is known what git ignores."""

    def __init__(self, *, ignored: bool | None) -> None:
        self._ignored = ignored

    def text(self, _path: str) -> str | None:
        return None

    def exists(self, _path: str) -> bool | None:
        return None

    def lies_at(self, _place: str) -> bool | None:
        return None

    def ignored(self, _path: str) -> bool | None:
        return self._ignored


@pytest.mark.parametrize(
    ("path", "ignored", "notes"),
    [
        (".env", True, [IGNORED]),
        ("deploy/.env.production", True, [IGNORED]),
        (".env", None, [""]),
        (".env", False, []),
        (".env.example", True, []),
        ("app.py", True, []),
    ],
)
def test_where_the_rule_is_silent(path: str, notes: list[str], *, ignored: bool | None) -> None:
    text = f"PORT=80\nSTRIPE_API_KEY={live_key(1)}\n"
    found = list(env_findings(path, text, Tree(ignored=ignored), b"k"))
    assert [one.signal and one.signal.log_only for one in found] == notes
    assert [one.line for one in found] == [2] * len(notes)
    assert live_key(1) not in str(found)
