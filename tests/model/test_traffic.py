from __future__ import annotations

import pytest

from leeboard.model.traffic import CarriedRequest


@pytest.mark.parametrize(("withheld", "inserted", "changed"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_what_was_added_or_withheld_is_a_change(withheld: int, inserted: int, *, changed: bool) -> None:
    carried = CarriedRequest(ts=1.0, session="s", calls=3, withheld=withheld, inserted=inserted)
    assert carried.is_changed is changed
