from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.touch import Health

DELTAS = st.builds(Health, **dict.fromkeys(("lines", "functions", "decisions", "tests", "files"), st.integers(-99, 99)))


@given(DELTAS, DELTAS, DELTAS)
def test_the_order_of_changes_does_not_matter(one: Health, two: Health, three: Health) -> None:
    assert one.plus(two).plus(three) == three.plus(one.plus(two)) == two.plus(three).plus(one)
    assert one.plus(Health()) == one
