from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.ledger import Mention
from leeboard.store.database import clean_row, json_bytes, json_text

any_text = st.text(st.characters(exclude_categories=()))


@given(any_text)
def test_every_text_can_be_kept_as_json(text: str) -> None:
    kept = msgspec.json.decode(json_bytes({"text": [text]}))["text"][0]
    assert kept == text or any("\ud800" <= letter <= "\udfff" for letter in text)


@given(st.lists(any_text | st.integers() | st.none()))
def test_a_clean_row_can_be_encoded(row: list[object]) -> None:
    cleaned = clean_row(row)
    assert len(cleaned) == len(row)
    assert all(value.encode() is not None for value in cleaned if isinstance(value, str))
    assert [value for value in cleaned if not isinstance(value, str)] == [v for v in row if not isinstance(v, str)]


def test_only_the_broken_letter_is_lost() -> None:
    assert json_text(Mention("src/\udcff.py", 2)) == '{"term":"src/?.py","met":2}'
    assert json_text({"\ud800": 1}) == '{"?":1}'
