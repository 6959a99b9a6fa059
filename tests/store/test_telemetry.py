from __future__ import annotations

from contextlib import closing
from pathlib import Path

from leeboard.store.sqlite import open_store
from leeboard.store.telemetry import (
    client_of,
    hooks_after,
    judged_after,
    newest_row,
    proposal_of,
    queue_lengths,
    session_span,
)


def test_an_empty_store_has_nothing_to_tell(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "a.db"))) as store:
        pages = store.pages
        assert (judged_after(pages, 0, 9), hooks_after(pages, 0, 9), newest_row(pages)) == ((), (), 0)
        assert (proposal_of(pages, "s", "c"), session_span(pages, "s"), client_of(pages, "s")) == (
            None,
            (0.0, 0, 0),
            "",
        )
        assert queue_lengths(pages) == {"corrections": 0, "team": 0}
