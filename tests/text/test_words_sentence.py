from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.text.words import SENTENCE_LIMIT, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix src/a.py. Then stop!", ["Fix src/a.py.", "Then stop!"]),
        ("- first item\n- second item\n2) third item", ["first item", "second item", "third item"]),
        ("a sentence that\ngoes on here", ["a sentence that\ngoes on here"]),
        ("Rules:\ndo not run", ["Rules:", "do not run"]),
        ("one thing – another thing", ["one thing –", "another thing"]),
        ("config files, e.g. a.json and b.json", ["config files, e.g. a.json and b.json"]),
        ("修复登录。不要提交代码", ["修复登录。", "不要提交代码"]),
        ("**Do not** run", ["Do not   run"]),
        ("src/**/x.ts stays", ["src/**/x.ts stays"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [sentence for _offset, sentence in sentences(text)] == expected


def test_an_endless_sentence_is_none() -> None:
    assert list(sentences("word " * SENTENCE_LIMIT)) == []


@given(st.text(alphabet=st.sampled_from("ab .!?\n-*1)。_;e.g"), max_size=200))
def test_places_are_true(text: str) -> None:
    for offset, sentence in sentences(text):
        assert len(text[offset : offset + len(sentence)]) == len(sentence)
        assert all(mine in {theirs, " "} for mine, theirs in zip(sentence, text[offset:], strict=False))
