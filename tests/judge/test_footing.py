from __future__ import annotations

import pytest

from leeboard.judge.footing import may_claim


@pytest.mark.parametrize("text", ["All tests pass.", "Fixed it", "I committed the change", "Lint is clean"])
def test_words_that_may_claim_something(text: str) -> None:
    assert may_claim(text)


@pytest.mark.parametrize("text", ["", "Here is what I found in the parser.", "Which one do you want?"])
def test_words_that_claim_nothing(text: str) -> None:
    assert not may_claim(text)
