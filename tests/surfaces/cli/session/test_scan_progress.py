from __future__ import annotations

import io
import sys

import pytest

from leeboard.surfaces.cli.session.scan import progress


class Screen(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(("terminal", "total", "is_shown"), [(True, 500, True), (False, 500, False), (True, 10, False)])
def test_a_person_who_waits_sees_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, total: int, *, terminal: bool, is_shown: bool
) -> None:
    out = Screen(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", out)
    with progress("scanning", total) as advance:
        for _ in range(total):
            advance()
    shown = out.getvalue()
    assert bool(shown) is is_shown
    if is_shown:
        assert shown.startswith(f"\rscanning 0 of {total} files (0 %)")
        assert shown.rpartition("\r")[2] == ""
        assert "\x1b" not in shown
