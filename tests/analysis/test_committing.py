"""Git counts whole seconds, and a line is known by when it began and ended."""

from __future__ import annotations

import pytest

from leeboard.analysis.committing import were_committed
from leeboard.model.ledger import Entry

ROWS = tuple(Entry(kind="committing", key="line", turn=1, text=text) for text in ("10 12", "20 20"))


@pytest.mark.parametrize(
    ("times", "own"), [((10.0,), True), ((12.0, 20.0), True), ((9.0,), False), ((13.0,), False), ((11.0, 21.0), False)]
)
def test_each_has_to_fall_into_a_line(times: tuple[float, ...], *, own: bool) -> None:
    assert were_committed(times, ROWS) is own
