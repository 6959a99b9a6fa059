from __future__ import annotations

import pytest

from tools._clones_tokens import variant

TEXT = """function total(rows, limit) {
      let sum = 0;
      for (let i = 0; i < rows.length; i++) {
        if (rows[i].value > limit) { return rows[i].name; } else { sum += 1; }
      }
      log("done here");
      return sum;
}"""


@pytest.mark.parametrize("level", ["reformatted", "renamed", "edited", "rewritten", "disguised", "patched"])
def test_variants_differ_and_are_the_same_again(level: str) -> None:
    made = variant(TEXT, level, "javascript", "7")
    assert made != TEXT
    assert made == variant(TEXT, level, "javascript", "7")


def test_renamed_keeps_members() -> None:
    made = variant(TEXT, "renamed", "javascript", "1")
    assert ".length" in made
    assert ".value" in made
    assert "limit" not in made


def test_rewritten_has_another_flow() -> None:
    made = variant(TEXT, "rewritten", "javascript", "1")
    assert "else" not in made
    assert "i++" not in made
