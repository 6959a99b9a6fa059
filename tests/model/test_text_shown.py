from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.text import shown, shown_line

_HOSTILE = st.text(st.sampled_from("ab :#[]%\n\r\t\x1b\x07\x9b\u202e\u2066\u2028\ud800"), max_size=40)


@given(st.text() | _HOSTILE)
def test_nothing_a_terminal_obeys_is_left(text: str) -> None:
    assert not [c for c in shown(text) if not c.isprintable() and c not in "\n\t"]


@given(st.text() | _HOSTILE)
def test_a_name_stays_on_its_line(text: str) -> None:
    assert len(shown_line(text).splitlines()) <= 1


@given(st.text() | _HOSTILE)
def test_no_line_is_an_order_to_a_build_server(text: str) -> None:
    assert not [line for line in shown(text).splitlines() if line.strip().startswith("::") or "##[" in line]


@pytest.mark.parametrize(
    "text", ["src/app.py", "a::b", "std::vector<int>", "tests/x.py::test_y", "## [1.0]\n\ttext", "ä"]
)
def test_what_nobody_obeys_stays_as_it_is(text: str) -> None:
    assert shown(text) == text
