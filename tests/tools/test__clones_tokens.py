from __future__ import annotations

import pytest

from tools._clones_tokens import variant

TEXT = """function total(rows, limit) {
      let sum = 0; // a comment
      for (let i = 0; i < rows.length; i++) {
        if (rows[i].value > limit) { return rows[i].name; } else { sum += 1; }
      }
      log("done here");
      notifyAll(rows);
      return sum;
}"""
GO = 'func Load(path string) error {\n\tfile, err := os.Open(path)\n\tif err != nil {\n\t\treturn err\n\t}\n\tread(file)\n\tshow("a")\n\treturn nil\n}'


@pytest.mark.parametrize("level", ["reformatted", "renamed", "edited"])
def test_variants_differ_and_are_the_same_again(level: str) -> None:
    made = variant(TEXT, level, "javascript", "7")
    assert made is not None
    assert made != TEXT
    assert "comment" not in made
    assert made == variant(TEXT, level, "javascript", "7")


def test_renamed_keeps_members() -> None:
    made = variant(TEXT, "renamed", "javascript", "1")
    assert made is not None
    assert ".length" in made
    assert ".value" in made
    assert "limit" not in made
    assert "done here" not in made


def test_names_that_are_bound_together() -> None:
    made = variant(GO, "renamed", "go", "1")
    assert made is not None
    assert "file" not in made
    assert "err " not in made
    assert "os.Open(" in made


@pytest.mark.parametrize(("text", "language"), [(TEXT, "javascript"), (GO, "go")])
@pytest.mark.parametrize("seed", "1234")
def test_edited_drops_a_whole_statement(text: str, language: str, seed: str) -> None:
    made = variant(text, "edited", language, seed)
    assert made is not None
    assert made.count("{") - made.count("}") == 0
    kept = [word for word in ("log(", "notifyAll(", "read(", "show(", "os.Open(", "return nil") if word in text]
    assert sum(word in made for word in kept) >= len(kept) - 1


def test_another_flow_is_only_known_for_python() -> None:
    assert variant(TEXT, "re-implemented", "javascript", "1") is None
    assert variant("def a\nend", "renamed", "ruby", "1") is None
